import { createMemoryDisk, type Disk } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { readCgroup } from './cgroup.ts';

async function diskWith(files: Readonly<Record<string, string>>): Promise<Disk> {
  const disk = createMemoryDisk();
  for (const [path, text] of Object.entries(files)) {
    await disk.mkdir(path.slice(0, path.lastIndexOf('/')));
    const file = await disk.open(path, 'create');
    await file.write(new TextEncoder().encode(text), 0);
    await file.close();
  }
  return disk;
}

const OLD = {
  '/proc/self/cgroup': '5:cpu,cpuacct:/user.slice\n4:memory:/user.slice\n0::/user.slice\n',
  '/sys/fs/cgroup/cpuacct/user.slice/cpuacct.usage': '378477588075\n',
  '/sys/fs/cgroup/cpu/user.slice/cpu.stat': 'nr_periods 5\nnr_throttled 2\nthrottled_time 7000\n',
  '/sys/fs/cgroup/cpu/user.slice/cpu.cfs_period_us': '100000\n',
  '/sys/fs/cgroup/cpu/user.slice/cpu.cfs_quota_us': '-1\n',
};

describe('the control group', () => {
  test('of version 1 is shown as it is', async () => {
    expect(await readCgroup(await diskWith(OLD))).toEqual({
      cpuacct: { control_group: '/user.slice', usage_nanos: 378_477_588_075 },
      cpu: {
        control_group: '/user.slice',
        cfs_period_micros: 100_000,
        cfs_quota_micros: -1,
        stat: { number_of_elapsed_periods: 5, number_of_times_throttled: 2, time_throttled_nanos: 7_000 },
      },
    });
  });

  test('of version 2 is shown in the same words', async () => {
    const disk = await diskWith({
      '/proc/self/cgroup': '0::/agent.service\n',
      '/sys/fs/cgroup/agent.service/cpu.stat':
        'usage_usec 1500\nuser_usec 1000\nnr_periods 10\nnr_throttled 3\nthrottled_usec 42\n',
      '/sys/fs/cgroup/agent.service/cpu.max': '150000 100000\n',
    });
    expect(await readCgroup(disk)).toEqual({
      cpuacct: { control_group: '/agent.service', usage_nanos: 1_500_000 },
      cpu: {
        control_group: '/agent.service',
        cfs_period_micros: 100_000,
        cfs_quota_micros: 150_000,
        stat: { number_of_elapsed_periods: 10, number_of_times_throttled: 3, time_throttled_nanos: 42_000 },
      },
    });
  });

  test('without a limit has none', async () => {
    const disk = await diskWith({
      '/proc/self/cgroup': '0::/a\n',
      '/sys/fs/cgroup/a/cpu.stat': 'usage_usec 1\n',
      '/sys/fs/cgroup/a/cpu.max': 'max 50000\n',
    });
    expect(await readCgroup(disk)).toMatchObject({ cpu: { cfs_quota_micros: -1, cfs_period_micros: 50_000 } });
  });

  test('of a container is found at the root', async () => {
    const disk = await diskWith({
      '/proc/self/cgroup': '0::/docker/0123\n',
      '/sys/fs/cgroup/cpu.stat': 'usage_usec 9\n',
    });
    expect(await readCgroup(disk)).toMatchObject({ cpuacct: { control_group: '/docker/0123', usage_nanos: 9_000 } });
  });

  test.each([
    ['no control groups', {}],
    ['a group that is not shown', { '/proc/self/cgroup': '0::/a\n' }],
    ['garbage', { '/proc/self/cgroup': 'nothing of use' }],
  ])('is not there with %s', async (_name, files) => {
    expect(await readCgroup(await diskWith(files))).toBeNull();
  });
});

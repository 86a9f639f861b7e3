/**
 * What the control group of this process may use of the processors and has used: cgroup v2, and v1 in its words.
 *
 * Tools know the words of v1. A system without control groups, or one that shows none to us, has no such numbers.
 */
import type { Disk } from '@shoal/runtime';
import type { View } from '../format/view.ts';

const MEMBERSHIP = '/proc/self/cgroup';
const ROOT = '/sys/fs/cgroup';
const NO_LIMIT = -1;
/** What the kernel takes where nobody has set it. */
const PERIOD_MICROS = 100_000;
const NANOS_PER_MICRO = 1_000;

/** null where there is none. */
export async function readCgroup(disk: Disk): Promise<View | null> {
  const membership = await textOf(disk, MEMBERSHIP);
  if (membership === null) return null;
  const groups = groupsOf(membership);
  const cpu = groups.get('cpu');
  const cpuacct = groups.get('cpuacct');
  if (cpu !== undefined && cpuacct !== undefined) return readOld(disk, cpu, cpuacct);
  const unified = groups.get('');
  return unified === undefined ? null : readUnified(disk, unified);
}

/** Control group by controller; v2 has one for all of them, under the empty name. */
function groupsOf(membership: string): ReadonlyMap<string, string> {
  const groups = new Map<string, string>();
  for (const line of membership.split('\n')) {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) continue;
    for (const controller of controllers.split(',')) groups.set(controller, path);
  }
  return groups;
}

async function readOld(disk: Disk, cpuGroup: string, accountGroup: string): Promise<View | null> {
  const account = await groupFolder(disk, `${ROOT}/cpuacct`, accountGroup, 'cpuacct.usage');
  const cpu = await groupFolder(disk, `${ROOT}/cpu`, cpuGroup, 'cpu.stat');
  if (account === null || cpu === null) return null;
  const stat = pairs(await textOf(disk, `${cpu}/cpu.stat`));
  return view({
    accountGroup,
    usageNanos: integer(await textOf(disk, `${account}/cpuacct.usage`), 0),
    cpuGroup,
    periodMicros: integer(await textOf(disk, `${cpu}/cpu.cfs_period_us`), PERIOD_MICROS),
    quotaMicros: integer(await textOf(disk, `${cpu}/cpu.cfs_quota_us`), NO_LIMIT),
    periods: stat.get('nr_periods') ?? 0,
    throttled: stat.get('nr_throttled') ?? 0,
    throttledNanos: stat.get('throttled_time') ?? 0,
  });
}

async function readUnified(disk: Disk, group: string): Promise<View | null> {
  const folder = await groupFolder(disk, ROOT, group, 'cpu.stat');
  if (folder === null) return null;
  const stat = pairs(await textOf(disk, `${folder}/cpu.stat`));
  // The root group has no limit, and no file that says so.
  const [quota = 'max', period = ''] = ((await textOf(disk, `${folder}/cpu.max`)) ?? '').trim().split(/\s+/);
  return view({
    accountGroup: group,
    usageNanos: (stat.get('usage_usec') ?? 0) * NANOS_PER_MICRO,
    cpuGroup: group,
    periodMicros: integer(period, PERIOD_MICROS),
    quotaMicros: integer(quota, NO_LIMIT),
    periods: stat.get('nr_periods') ?? 0,
    throttled: stat.get('nr_throttled') ?? 0,
    throttledNanos: (stat.get('throttled_usec') ?? 0) * NANOS_PER_MICRO,
  });
}

/** Inside a container the path is that of the host, and the group itself is mounted at the root. */
async function groupFolder(disk: Disk, mount: string, group: string, file: string): Promise<string | null> {
  for (const folder of [`${mount}${group === '/' ? '' : group}`, mount]) {
    if ((await textOf(disk, `${folder}/${file}`)) !== null) return folder;
  }
  return null;
}

interface Numbers {
  readonly accountGroup: string;
  readonly usageNanos: number;
  readonly cpuGroup: string;
  readonly periodMicros: number;
  readonly quotaMicros: number;
  readonly periods: number;
  readonly throttled: number;
  readonly throttledNanos: number;
}

function view(numbers: Numbers): View {
  return {
    cpuacct: { control_group: numbers.accountGroup, usage_nanos: numbers.usageNanos },
    cpu: {
      control_group: numbers.cpuGroup,
      cfs_period_micros: numbers.periodMicros,
      cfs_quota_micros: numbers.quotaMicros,
      stat: {
        number_of_elapsed_periods: numbers.periods,
        number_of_times_throttled: numbers.throttled,
        time_throttled_nanos: numbers.throttledNanos,
      },
    },
  };
}

async function textOf(disk: Disk, path: string): Promise<string | null> {
  try {
    return new TextDecoder().decode(await disk.readFile(path));
  } catch {
    return null; // Not on this system, or not shown to us.
  }
}

function pairs(text: string | null): ReadonlyMap<string, number> {
  const found = (text ?? '').split('\n').map((line) => line.trim().split(/\s+/));
  return new Map(found.map(([name = '', value = '']) => [name, integer(value, 0)]));
}

function integer(text: string | null, otherwise: number): number {
  const value = Number(text?.trim() ?? '');
  return text === null || text.trim() === '' || !Number.isSafeInteger(value) ? otherwise : value;
}

/**
 * Pipelines whose queue on disk cannot be written, as their state and the health report show it.
 */
import {
  createNodeRuntime,
  createRecordingLog,
  type Disk,
  DiskError,
  type DiskErrorKind,
  type Runtime,
} from '@shoal/runtime';
import { expect, test } from 'vitest';
import { testAgent, until } from '../agent/agent.test-support.ts';
import { Monitor } from '../api/routes/monitor.ts';

interface Fault {
  kind: DiskErrorKind | null;
}

/** The same object with some of its functions replaced. */
function replaced<T extends object>(target: T, own: Partial<T>): T {
  return new Proxy(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(own, name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Writes to pages of queues fail while a fault is set. */
function faulty(fault: Fault): Runtime {
  const base = createNodeRuntime({ log: createRecordingLog() });
  const open: Disk['open'] = async (path, mode) => {
    const file = await base.disk.open(path, mode);
    if (!path.includes('/page.')) return file;
    const write: typeof file.write = async (bytes, offset) => {
      if (fault.kind !== null) throw new DiskError(fault.kind, path, `${path}: ${fault.kind}`);
      await file.write(bytes, offset);
    };
    return replaced(file, { write });
  };
  const disk = replaced(base.disk, { open });
  return { ...base, disk, sched: { ...base.sched, after: (ms, run) => base.sched.after(ms / 100, run) } };
}

const SETTINGS = {
  'queue.type': 'persisted',
  'config.string': 'input { generator { count => 400 } } output { null { } }',
};

test('a full disk shows in the health report until there is room, and no event is lost', async () => {
  const fault: Fault = { kind: 'full' };
  const { core } = testAgent(SETTINGS, faulty(fault));
  await core.start();
  const { pipeline } = core.pipelines[0]!;
  const monitor = new Monitor(core, () => '');
  await until(() => pipeline.queue?.sizes().trouble !== null);
  expect(JSON.stringify(monitor.health())).toContain('its queue cannot be written');
  expect(pipeline.state).toBe('running');
  fault.kind = null;
  await until(() => pipeline.ledger().out === 400);
  expect(pipeline.queue?.sizes().trouble).toBe(null);
  monitor.close();
});

test('a disk that fails ends the pipeline, which says so', async () => {
  const { core, log } = testAgent(SETTINGS, faulty({ kind: 'io' }));
  await core.start();
  const { pipeline } = core.pipelines[0]!;
  await pipeline.ended;
  expect(pipeline.state).toBe('terminated');
  expect(log.lines.some(({ message }) => message === 'pipeline given up')).toBe(true);
});

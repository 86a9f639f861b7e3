import { createMemoryDisk, createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { collected, testAgent, writeFile } from '../../agent/agent.test-support.ts';
import type { AgentCore } from '../../agent/agent.ts';
import { HeapStats } from '../stats/heap-stats.ts';
import { Monitor } from './monitor.ts';

const CONFIG = `input { generator { id => "in" codec => plain count => 20 } heartbeat { id => "hb" interval => 60 } }
  filter { grok { id => "g" match => { "message" => "%{WORD:w}" } } mutate { id => "m" } }
  output { collect { id => "out" into => "views" } file { id => "f" path => "/dev/null" codec => line { format => "%{w}" } } }`;

/** What stands at a dotted path; undefined when there is nothing. */
function at(tree: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], tree);
}

async function withMonitor(
  settings: Record<string, unknown>,
  body: (monitor: Monitor, core: AgentCore) => Promise<void>,
): Promise<void> {
  const { core } = testAgent({ 'config.string': CONFIG, ...settings });
  await core.start();
  const monitor = new Monitor(core, () => '127.0.0.1:9600');
  try {
    const { pipeline } = core.pipelines[0] ?? expect.unreachable();
    while (pipeline.stats.out < 20) await new Promise((resolve) => setImmediate(resolve));
    await body(monitor, core);
  } finally {
    monitor.close();
    collected('views').length = 0;
  }
}

describe('the stats of a pipeline', () => {
  test('have the flow of each plugin', async () => {
    await withMonitor({}, async (monitor) => {
      const plugins = at(await monitor.stats(['pipelines'], false), 'pipelines.main.plugins');
      expect(at(plugins, 'inputs.0.flow.throughput.lifetime')).toBeGreaterThan(0);
      expect(at(plugins, 'filters.0.flow.worker_utilization.current')).toEqual(expect.any(Number));
      expect(at(plugins, 'filters.0.flow.worker_millis_per_event.lifetime')).toEqual(expect.any(Number));
      expect(at(plugins, 'outputs.0.flow.worker_utilization.lifetime')).toEqual(expect.any(Number));
    });
  });

  test('never use more than all of their workers', async () => {
    await withMonitor({ 'pipeline.workers': 1 }, async (monitor) => {
      const flow = at(await monitor.stats(['pipelines'], false), 'pipelines.main.flow');
      expect(at(flow, 'worker_utilization.lifetime')).toBeLessThanOrEqual(100);
      expect(at(flow, 'worker_concurrency.lifetime')).toBeLessThanOrEqual(1);
    });
  });

  test('count what codecs read and write', async () => {
    await withMonitor({}, async (monitor) => {
      const codecs = at(await monitor.stats(['pipelines'], false), 'pipelines.main.plugins.codecs');
      expect(codecs).toContainEqual(
        expect.objectContaining({
          name: 'plain',
          decode: { writes_in: 20, out: 20, duration_in_millis: expect.any(Number) },
        }),
      );
      const line = (codecs as { name: string; encode: unknown }[]).find(({ name }) => name === 'line');
      expect(at(line, 'encode.writes_in')).toBeGreaterThanOrEqual(20);
    });
  });

  test('say of a persisted queue where it lies and how it grows', async () => {
    await withMonitor({ 'queue.type': 'persisted' }, async (monitor) => {
      const main = at(await monitor.stats(['pipelines'], false), 'pipelines.main');
      expect(at(main, 'queue.data')).toMatchObject({ free_space_in_bytes: expect.any(Number) });
      expect(Object.keys(at(main, 'flow') as object)).toContain('queue_persisted_growth_events');
    });
  });

  test('have vertices with every counter of a plugin', async () => {
    await withMonitor({}, async (monitor) => {
      const vertices = at(await monitor.stats(['pipelines'], true), 'pipelines.main.vertices');
      expect(vertices).toContainEqual(
        expect.objectContaining({
          id: 'g',
          long_counters: expect.arrayContaining([{ name: 'failures', value: 0 }]),
          double_gauges: [{ name: 'patterns_per_field.message', value: 1 }],
        }),
      );
    });
  });
});

describe('the stats of the node', () => {
  test('do not fall when a pipeline is reloaded', async () => {
    const { core, runtime } = testAgent({ 'path.config': 'p.conf' });
    const config = (id: string) => CONFIG.replace('"m"', `"${id}"`);
    await writeFile(runtime, 'p.conf', config('before'));
    await core.start();
    const monitor = new Monitor(core, () => '');
    const events = async () => at(await monitor.stats(['events'], false), 'events.out') as number;
    while ((await events()) < 20) await new Promise((resolve) => setImmediate(resolve));
    const before = await events();
    await writeFile(runtime, 'p.conf', config('after'));
    await core.reload();
    expect(core.reloads.successes).toBe(1);
    expect(await events()).toBeGreaterThanOrEqual(before);
    monitor.close();
  });

  test('have the heap of this process once, though workers run in it, and those of threads beside it', () => {
    const real = createNodeRuntime({ log: createSilentLog() });
    const own = real.machine.heap?.() ?? expect.unreachable();
    const runtime = { ...real, machine: { ...real.machine, heap: () => own } };
    const worker = (heapId: number) => ({ heap: { ...own, heapId, usedBytes: 1_000, youngCollections: 7 } }) as never;
    const workers = [worker(own.heapId), worker(own.heapId + 1), worker(own.heapId + 2)];
    const book = new HeapStats(runtime, () => workers);
    expect(book.total()?.usedBytes).toBe(own.usedBytes + 2_000);
    expect(book.total()?.youngCollections).toBe(own.youngCollections + 14);
    // Its heap goes with a worker, what it did does not.
    workers.pop();
    expect(book.total()?.usedBytes).toBe(own.usedBytes + 1_000);
    expect(book.total()?.youngCollections).toBe(own.youngCollections + 14);
  });
});

describe('health', () => {
  test('is red for a pipeline that could not be started, and says what to do', async () => {
    const { core, runtime } = testAgent({ 'path.settings': 'etc' });
    await runtime.disk.mkdir('etc');
    const pipelines = [
      '- pipeline.id: good\n  config.string: "input { heartbeat { } } output { null { } }"',
      '- pipeline.id: bad\n  config.string: "input { heartbeat { } } output { nul { } }"',
    ];
    await writeFile(runtime, 'etc/pipelines.yml', `${pipelines.join('\n')}\n`);
    await core.start();
    const monitor = new Monitor(core, () => '');
    const report = monitor.health();
    expect(report).toMatchObject({ status: 'red', symptom: '1 indicator is concerning (`pipelines`)' });
    expect(at(report, 'indicators.pipelines.indicators.good.status')).toBe('green');
    expect(at(report, 'indicators.pipelines.indicators.bad')).toMatchObject({
      status: 'red',
      details: { status: { state: 'TERMINATED' } },
      diagnosis: [{ id: 'logstash:health:pipeline:status:diagnosis:terminated' }],
      impacts: [{ severity: 10 }],
    });
    await expect(monitor.untilStatus('green', 20, () => false)).rejects.toThrow('Timed out waiting for status [green]');
    await monitor.untilStatus('red', 0, () => false);
    monitor.close();
  });
});

describe('inputs that fail', () => {
  const run = async (config: string, wanted: string): Promise<{ core: AgentCore; monitor: Monitor }> => {
    const { core } = testAgent({ 'config.string': config });
    await core.start();
    const monitor = new Monitor(core, () => '');
    while (at(monitor.health(), 'status') !== wanted) await new Promise((resolve) => setImmediate(resolve));
    return { core, monitor };
  };
  test('are in the health and the stats; the pipeline goes on', async () => {
    const { core, monitor } = await run('input { breaking { id => "b" } heartbeat { } } output { null { } }', 'yellow');
    expect(at(monitor.health(), 'indicators.pipelines.indicators.main')).toMatchObject({
      symptom: 'The pipeline is concerning: 1 of 2 inputs do not run',
      diagnosis: [{ id: 'logstash:health:pipeline:inputs:diagnosis:failing', cause: 'breaking [b]: the disk is full' }],
    });
    const plugins = at(await monitor.stats(['pipelines'], false), 'pipelines.main.plugins');
    expect(at(plugins, 'inputs.0')).toMatchObject({ id: 'b', failures: 1, last_error: 'the disk is full' });
    expect(core.pipelines[0]?.pipeline.state).toBe('running');
    monitor.close();
  });
  test('make the health red when there is no other', async () => {
    const { monitor } = await run('input { breaking { } } output { null { } }', 'red');
    monitor.close();
  });
});

describe('loggers', () => {
  test('have the level that the log has', async () => {
    const runtime = createNodeRuntime({ log: createSilentLog() });
    const log = { ...createSilentLog(), level: 'warn' as const };
    const { core } = testAgent({ 'config.string': CONFIG }, runtime);
    const shown = { runtime: { ...runtime, log }, pipelines: core.pipelines } as never;
    const { loggersView } = await import('../views/loggers-view.ts');
    expect(loggersView(shown)).toMatchObject({ root: 'WARN', 'logstash.agent': 'WARN' });
  });
});

describe('control groups', () => {
  test('are shown where there are some', async () => {
    const disk = createMemoryDisk();
    await disk.mkdir('/proc/self');
    await disk.mkdir('/sys/fs/cgroup');
    const runtime = { ...createNodeRuntime({ log: createSilentLog() }), disk };
    await writeFile(runtime, '/proc/self/cgroup', '0::/\n');
    await writeFile(runtime, '/sys/fs/cgroup/cpu.stat', 'usage_usec 3\n');
    const { core } = testAgent({ 'config.string': CONFIG }, runtime);
    const monitor = new Monitor(core, () => '');
    expect(await monitor.stats(['os'], false)).toMatchObject({ os: { cgroup: { cpuacct: { usage_nanos: 3_000 } } } });
    monitor.close();
  });
});

test('the keys of the pipeline stay while none runs', async () => {
  await withMonitor({}, async (monitor, core) => {
    const whole = await monitor.stats(['pipeline'], false);
    Object.defineProperty(core, 'pipelines', { value: [] });
    const none = await monitor.stats(['pipeline'], false);
    expect(Object.keys(at(none, 'pipeline') as object)).toEqual(Object.keys(at(whole, 'pipeline') as object));
    expect(at(none, 'pipeline.plugins')).toEqual({ inputs: [], filters: [], outputs: [] });
  });
});

test('a vertex names the cluster of its output, and the node the one that is set for it', async () => {
  await withMonitor({ 'monitoring.cluster_uuid': 'ours' }, async (monitor, core) => {
    core.pipelines[0]?.pipeline.stats.outputs[0]?.apply({ kind: 'gauge', plugin: 0, name: 'cluster_uuid', value: 'u' });
    const stats = await monitor.stats(null, true);
    const vertices = at(stats, 'pipelines.main.vertices') as readonly Record<string, unknown>[];
    expect(vertices.filter((vertex) => 'cluster_uuid' in vertex)).toMatchObject([{ id: 'out', cluster_uuid: 'u' }]);
    expect(at(stats, 'monitoring.cluster_uuid')).toBe('ours');
  });
});

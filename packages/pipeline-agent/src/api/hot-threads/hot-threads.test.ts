import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeRuntime, createSilentLog } from '@shoal/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { AgentCore } from '../../agent/agent.ts';
import { AGENT_SETTINGS } from '../../settings/agent-settings.ts';
import { HotThreads, type HotThreadsOptions, hotThreadsText } from './hot-threads.ts';

/** Burns the time that `ms` says in one call, for each event. */
const BURN = `export const plugin = { kind: 'filter', name: 'burn', version: '1.0.0', options: { ms: { type: 'number', isRequired: true } },
  create: (options) => ({ filter: function burnTime() {
    const end = performance.now() + options.number('ms');
    while (performance.now() < end);
    return 'matched';
  } }) };`;
const OPTIONS: HotThreadsOptions = { countMax: 10, intervalMs: 200, ignoresIdle: true, framesMax: 50 };

const folders: string[] = [];
const cores: AgentCore[] = [];

afterEach(async () => {
  for (const core of cores.splice(0)) {
    for (const { pipeline } of core.pipelines) for (const worker of pipeline.workers) await worker.terminate();
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** With workers that are real threads, once one is inside the filter with the id `hot`. */
async function runningAgent(filters: string): Promise<AgentCore> {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-hot-'));
  folders.push(folder);
  writeFileSync(join(folder, 'shoal-filter-burn.mjs'), BURN);
  const runtime = createNodeRuntime({ log: createSilentLog(), diskRoot: folder });
  const core = new AgentCore(runtime, {
    settings: AGENT_SETTINGS.parse({
      'path.plugins': folder,
      'path.data': 'data',
      'pipeline.workers': 1,
      'config.string': `input { generator { id => "in" } }\nfilter {\n${filters}\n}\noutput { null { } }`,
    }),
    environment: {},
    hostName: 'test-host',
  });
  cores.push(core);
  await core.start();
  const { pipeline } = core.pipelines[0] ?? expect.unreachable();
  const isHot = (): boolean =>
    pipeline.workers.some((worker) => pipeline.stats.worker(worker.currentPlugin)?.plan.id === 'hot');
  while (!isHot()) await new Promise((resolve) => setImmediate(resolve));
  return core;
}

describe('hot threads', () => {
  test('name the plugin, its line and its function, of several of one kind', async () => {
    const core = await runningAgent('burn { id => "cold" ms => 0 }\nburn { id => "hot" ms => 0.5 }');
    const hot = new HotThreads(core);
    const look = async () => {
      const { threads } = await hot.report({ ...OPTIONS, ignoresIdle: false });
      return { threads, worker: threads.find(({ name }) => name === '[main]>worker0') ?? expect.unreachable() };
    };
    let report = await look();
    // A worker that gets no processor in the interval has nothing to show, or answers too late to be in the report.
    while (!report.worker.traces.some((trace) => trace.includes('burnTime ('))) report = await look();
    const { worker } = report;
    expect(worker.path).toBe('config.string:4:1');
    expect(worker.percent_of_cpu_time).toBeGreaterThan(0);
    expect(worker.plugins[0]).toMatchObject({ pipeline: 'main', id: 'hot', name: 'burn', path: 'config.string:4:1' });
    expect(worker.traces[0]).toMatch(/^filters\/burn hot \(config\.string:4:1\) \d+%$/);
    expect(report.threads.map(({ name }) => name)).toContain('main');
  });

  test('name the plugin of a worker that is inside one long call and answers nothing', async () => {
    const core = await runningAgent('burn { id => "hot" ms => 60000 }');
    const report = await new HotThreads(core).report({ ...OPTIONS, intervalMs: 50 });
    const worker = report.threads.find(({ name }) => name === '[main]>worker0') ?? expect.unreachable();
    expect(worker.path).toBe('config.string:3:1');
    expect(worker.plugins).toEqual([
      { pipeline: 'main', id: 'hot', name: 'burn', path: 'config.string:3:1', percent: 100 },
    ]);
    expect(worker.traces[1]).toContain('no answer');
  });

  test('leave idle threads out unless they are asked for, and no more threads and lines than asked for', async () => {
    const core = await runningAgent('burn { id => "hot" ms => 0.5 }');
    const hot = new HotThreads(core);
    const all = await hot.report({ ...OPTIONS, intervalMs: 50, countMax: 100, ignoresIdle: false });
    for (const { percent_of_cpu_time: percent } of (await hot.report({ ...OPTIONS, intervalMs: 50 })).threads) {
      expect(percent).toBeGreaterThanOrEqual(1);
    }
    expect(all.threads.length).toBeGreaterThanOrEqual(2);
    const short = await hot.report({ ...OPTIONS, intervalMs: 50, countMax: 1, framesMax: 1 });
    expect(short.threads).toHaveLength(1);
    expect(short.threads[0]?.traces.length).toBeLessThanOrEqual(1);
  });

  test('are text with a rule under each of them', () => {
    const thread = { name: '[main]>worker0', thread_id: 7, percent_of_cpu_time: 61.2, state: 'runnable' } as const;
    const time = '2026-03-01T10:00:00.000Z';
    const threads = [
      { ...thread, plugins: [], traces: ['filters/grok g (a.conf:1:1) 61%', '  40% match (grok.js:1)'] },
    ];
    const text = hotThreadsText('n1', { time, busiest_threads: 3, interval_in_millis: 500, threads });
    expect(text.split('\n')).toEqual([
      '::: {n1}',
      `Hot threads at ${time}, busiestThreads=3:`,
      '='.repeat(80),
      " 61.2 % of cpu usage, state: runnable, thread name: '[main]>worker0', thread id: 7",
      '\tfilters/grok g (a.conf:1:1) 61%',
      '\t  40% match (grok.js:1)',
      '-'.repeat(80),
      '',
    ]);
  });

  test('are measured for one interval at a time', async () => {
    const core = await runningAgent('burn { id => "hot" ms => 0.5 }');
    const hot = new HotThreads(core);
    const [first, second] = [hot.report({ ...OPTIONS, intervalMs: 50 }), hot.report({ ...OPTIONS, intervalMs: 50 })];
    await expect(hot.report({ ...OPTIONS, intervalMs: 60 })).rejects.toThrow('only one is at a time');
    expect((await first).threads).toEqual((await second).threads);
    await expect(hot.report({ ...OPTIONS, intervalMs: 10_001 })).rejects.toThrow('interval must be between');
  });
});

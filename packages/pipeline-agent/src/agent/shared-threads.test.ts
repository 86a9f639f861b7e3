/**
 * Pipelines of one agent in the same threads: what one of them does to its thread does not stop the others.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeRuntime, createRecordingLog, type RecordingLog } from '@shoal/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { AGENT_SETTINGS } from '../settings/agent-settings.ts';
import { until } from './agent.test-support.ts';
import { AgentCore } from './agent.ts';

/** Burns the time that `ms` says in one call, for events of the message `bad`. */
const BURN = `export const plugin = { kind: 'filter', name: 'burn', version: '1.0.0', isStateless: true, options: { ms: { type: 'number', isRequired: true } },
  create: (options) => ({ filter: (event) => {
    if (event.fields.get('message') !== 'bad') return 'matched';
    const end = performance.now() + options.number('ms');
    while (performance.now() < end);
    return 'matched';
  } }) };`;
/** Ends its thread at the first event of the message \`bad\` in this process; the folder remembers that. */
const DIE = `import { existsSync, writeFileSync } from 'node:fs';
export const plugin = { kind: 'filter', name: 'die', version: '1.0.0', isStateless: true, options: { once: { type: 'string', isRequired: true } },
  create: (options) => ({ filter: (event) => {
    if (event.fields.get('message') !== 'bad' || existsSync(options.string('once'))) return 'matched';
    writeFileSync(options.string('once'), '');
    process.exit(1);
  } }) };`;

const folders: string[] = [];
const cores: AgentCore[] = [];

afterEach(async () => {
  for (const core of cores.splice(0)) {
    for (const { pipeline } of core.pipelines) for (const worker of pipeline.workers) await worker.terminate();
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Running {
  readonly log: RecordingLog;
  readonly core: AgentCore;
  pipeline(id: string): Pipeline;
}

/** On two processors, with threads. */
async function running(configs: Readonly<Record<string, string>>): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-shared-'));
  folders.push(folder);
  writeFileSync(join(folder, 'shoal-filter-burn.mjs'), BURN);
  writeFileSync(join(folder, 'shoal-filter-die.mjs'), DIE);
  const entries = Object.entries(configs).map(([id, text]) => ({
    'pipeline.id': id,
    'pipeline.workers': 1,
    'config.string': text.replaceAll('FOLDER', folder),
  }));
  // JSON is YAML.
  writeFileSync(join(folder, 'pipelines.yml'), JSON.stringify(entries));
  const log = createRecordingLog();
  const base = createNodeRuntime({ log, diskRoot: folder });
  const runtime = { ...base, machine: { ...base.machine, cpuCount: 2 } };
  const core = new AgentCore(runtime, {
    settings: AGENT_SETTINGS.parse({ 'path.plugins': folder, 'path.data': 'data', 'path.settings': folder }),
    environment: {},
    hostName: 'test-host',
  });
  cores.push(core);
  await core.start();
  const pipeline = (id: string): Pipeline =>
    core.pipelines.find((one) => one.id === id)?.pipeline ?? expect.unreachable();
  return { log, core, pipeline };
}

const ticking = 'input { heartbeat { interval => 0.01 } } output { null { } }';
const BLOCKING =
  'input { generator { message => "bad" count => 1 } heartbeat { interval => 60 } } filter { burn { ms => 3600000 } } output { null { } }';
/** With two threads one of them shares that of a fourth. */
const OTHERS = ['one', 'two', 'three'];
const others = (config: string): Record<string, string> => Object.fromEntries(OTHERS.map((id) => [id, config]));
const threadOf = (pipeline: Pipeline): string => pipeline.workers[0]?.thread.name ?? expect.unreachable();

describe('pipelines in one thread', () => {
  test('are as many as there are; the threads no more than processors', async () => {
    const ids = Array.from({ length: 9 }, (_, n) => `p${n}`);
    const { core, pipeline } = await running(Object.fromEntries(ids.map((id) => [id, ticking])));
    expect(core.threads).toHaveLength(2);
    await until(() => ids.every((id) => pipeline(id).ledger().out > 0));
    for (const id of ids.slice(1)) await pipeline(id).stop();
    expect(core.threads).toHaveLength(1);
    const outBefore = pipeline('p0').ledger().out;
    await until(() => pipeline('p0').ledger().out > outBefore);
    await core.stop();
    expect(core.threads).toHaveLength(0);
  });

  test('go on in another when one of them blocks it, and nothing is done twice', async () => {
    const config = 'input { generator { count => 20000 } heartbeat { interval => 0.01 } } output { null { } }';
    const { log, pipeline } = await running({ bad: BLOCKING, ...others(config) });
    await until(() => log.lines.some(({ message }) => message === 'worker goes on in another thread'));
    for (const one of OTHERS.map(pipeline)) {
      await until(() => one.ledger().out > 20_000);
      const outBefore = one.ledger().out;
      await until(() => one.ledger().out > outBefore + 3);
      expect(one.ledger().isBalanced).toBe(true);
      expect(threadOf(one)).not.toBe(threadOf(pipeline('bad')));
    }
    expect(pipeline('bad').ledger()).toMatchObject({ out: 0, isBalanced: true });
  });

  test('stop although one of them blocks it', async () => {
    const { pipeline } = await running({ bad: BLOCKING, ...others(ticking) });
    await until(() => pipeline('bad').workers[0]?.currentPlugin === 0);
    for (const one of OTHERS.map(pipeline)) {
      await one.stop();
      expect(one.ledger()).toMatchObject({ inFlight: 0, isBalanced: true });
    }
  });

  test('go on when it is ended over one that does not end', async () => {
    // A filter that keeps state does not leave by itself.
    const config = 'input { heartbeat { interval => 0.01 } } filter { throttle { key => "k" } } output { null { } }';
    const { core, pipeline } = await running({ bad: BLOCKING, ...others(config) });
    const bad = pipeline('bad');
    const ended = threadOf(bad);
    const neighbour = OTHERS.map(pipeline).find((one) => threadOf(one) === ended) ?? expect.unreachable();
    await until(() => bad.workers[0]?.currentPlugin === 0);
    await bad.workers[0]?.terminate();
    expect(core.threads.map(({ name }) => name)).not.toContain(ended);
    const outBefore = neighbour.ledger().out;
    await until(() => neighbour.ledger().out > outBefore + 3);
    expect(neighbour.ledger().isBalanced).toBe(true);
  });

  test('are all started again when it dies, and the one it died over has a thread of its own', async () => {
    const dying =
      'input { generator { message => "bad" count => 1 } heartbeat { interval => 0.01 } } filter { die { once => "FOLDER/died" } } output { null { } }';
    const { core, log, pipeline } = await running({ bad: dying, ...others(ticking) });
    const all = ['bad', ...OTHERS].map(pipeline);
    await until(() => log.lines.some(({ message }) => message === 'worker ended'));
    await until(() => all.every((one) => one.workers.some((worker) => worker.isReady)));
    const outBefore = all.map((one) => one.ledger().out);
    await until(() => all.every((one, i) => one.ledger().out > (outBefore[i] ?? 0) + 3));
    expect(all.map((one) => one.ledger().isBalanced)).toEqual([true, true, true, true]);
    expect(core.threads.find(({ name }) => name === threadOf(pipeline('bad')))?.seatCount).toBe(1);
  });
});

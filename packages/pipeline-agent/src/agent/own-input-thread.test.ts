/**
 * Inputs of a pipeline in a thread of their own: they do what they do in the main thread, and hold up nobody there.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeRuntime, createRecordingLog } from '@shoal/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { AGENT_SETTINGS } from '../settings/agent-settings.ts';
import { collected, stick, testAgent, unstick, until, writeFile } from './agent.test-support.ts';
import { AgentCore } from './agent.ts';

/** Pushes one event; once the file `go` is beside it, says so by a file `burning`, and never lets its thread do anything else. */
const BURN = `import { existsSync, writeFileSync } from 'node:fs';
export const plugin = { kind: 'input', name: 'burn', version: '1.0.0', options: {},
  create: (options, context) => ({ finished: null, stop: async () => {}, start: async (sink) => {
    await sink.push([context.newEvent({ message: 'last' })]);
    setInterval(() => {
      if (!existsSync(new URL('go', import.meta.url))) return;
      writeFileSync(new URL('burning', import.meta.url), '');
      for (;;);
    }, 2);
  } }) };`;
/** Ends its thread behind its first event. */
const DIE = `export const plugin = { kind: 'input', name: 'die', version: '1.0.0', options: {},
  create: (options, context) => ({ finished: null, stop: async () => {}, start: async (sink) => {
    sink.push([context.newEvent({ message: 'last' })]).then(() => process.exit(1));
  } }) };`;
/** Tells whether its event is with the queue, or with the outputs as well. */
const CONFIRM = `export const plugin = { kind: 'input', name: 'confirm', version: '1.0.0', options: {},
  create: (options, context) => {
    let end;
    const finished = new Promise((resolve) => (end = resolve));
    const run = async (sink) => {
      await sink.push([context.newEvent({ message: 'm' })]);
      context.metrics.gauge('state', 'pushed');
      await sink.confirmed();
      context.metrics.gauge('state', 'confirmed');
      end();
    };
    return { finished, stop: async () => end(), start: async (sink) => void run(sink) };
  } };`;
/** Keeps what it is given until the test lets go of it. */
const HOLD = `export const plugin = { kind: 'output', name: 'hold', version: '1.0.0', concurrency: 'each', options: {},
  create: () => ({ receive: () => new Promise((resolve) => globalThis.shoalHeld.push(resolve)) }) };`;

const folders: string[] = [];
const cores: AgentCore[] = [];

afterEach(async () => {
  unstick();
  for (const core of cores.splice(0)) await core.stop();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function pluginFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-own-'));
  folders.push(folder);
  writeFileSync(join(folder, 'shoal-input-burn.mjs'), BURN);
  writeFileSync(join(folder, 'shoal-input-die.mjs'), DIE);
  writeFileSync(join(folder, 'shoal-input-confirm.mjs'), CONFIRM);
  writeFileSync(join(folder, 'shoal-output-hold.mjs'), HOLD);
  return folder;
}

const own = (config: string, settings: Record<string, unknown> = {}) =>
  testAgent({ 'pipeline.inputs.thread': 'own', 'config.string': config, ...settings });

const pipelineOf = (core: AgentCore, id = 'main'): Pipeline =>
  core.pipelines.find((one) => one.id === id)?.pipeline ?? expect.unreachable();

/** With real threads; the pipelines by their configurations, `bad` with a thread for its inputs. */
async function threaded(configs: Readonly<Record<string, string>>, folder = pluginFolder()): Promise<AgentCore> {
  const entries = Object.entries(configs).map(([id, text]) => ({
    'pipeline.id': id,
    'pipeline.workers': 1,
    'pipeline.inputs.thread': id === 'bad' ? 'own' : 'shared',
    'pipeline.unsafe_shutdown': true,
    'config.string': text,
  }));
  // JSON is YAML.
  writeFileSync(join(folder, 'pipelines.yml'), JSON.stringify(entries));
  const runtime = createNodeRuntime({ log: createRecordingLog(), diskRoot: folder });
  const settings = AGENT_SETTINGS.parse({ 'path.plugins': folder, 'path.data': 'data', 'path.settings': folder });
  const core = new AgentCore(runtime, { settings, environment: {}, hostName: 'test-host' });
  cores.push(core);
  await core.start();
  return core;
}

describe('inputs in a thread of their own', () => {
  test('push in order through a full queue, are counted, and end their pipeline', async () => {
    const { core } = own(
      `input { generator { lines => ["a", "b"] count => 5000 add_field => { "k" => "v" } } } output { collect { into => "own1" } }`,
      { 'pipeline.workers': 1, 'pipeline.batch.size': 7 },
    );
    await core.start();
    const { inputs, stats } = pipelineOf(core);
    expect(inputs.thread).not.toBe(null);
    expect(core.threads).toContain(inputs.thread);
    await core.allEnded;
    const events = collected('own1');
    expect(events.map(({ message }) => message)).toEqual(Array.from({ length: 10_000 }, (_, n) => 'ab'[n % 2]));
    expect(events[9_999]?.k).toBe('v');
    expect(pipelineOf(core).ledger()).toMatchObject({ in: 10_000, out: 10_000, isBalanced: true });
    expect(stats.inputs[0]).toMatchObject({ in: 10_000, out: 10_000 });
    expect(stats.queuePushMs).toBe(stats.inputs[0]?.queuePushMs);
    expect(core.threads).toEqual([]);
  });

  test('refuse their pipeline what they refuse in the main thread, with the position', async () => {
    const unstartable = own('input { unstartable { } } output { collect { into => "own2" } }');
    await expect(unstartable.core.start()).rejects.toThrow(/config.string:1:9.*unstartable: port taken/s);
    expect(unstartable.core.threads).toEqual([]);
    const unmade = own('input { file { path => "relative.log" } } output { collect { into => "own2" } }');
    await expect(unmade.core.start()).rejects.toThrow(/config.string:1:\d+: file: the file input needs absolute paths/);
    expect(unmade.core.threads).toEqual([]);
  });

  test('tell their troubles', async () => {
    const { core } = own('input { breaking { id => "b" } } output { collect { into => "own3" } }');
    await core.start();
    const { inputs } = pipelineOf(core);
    await until(() => inputs.troubles().length > 0);
    expect(inputs.troubles()).toEqual([{ name: 'breaking', id: 'b', reason: 'the disk is full', isDown: true }]);
  });

  test('wait for the outputs where the pipeline says so', async () => {
    const held: (() => void)[] = [];
    Reflect.set(globalThis, 'shoalHeld', held);
    const { core } = own('input { confirm { } } output { hold { } }', {
      'delivery.acknowledge': 'outputs',
      'path.plugins': pluginFolder(),
    });
    await core.start();
    await until(() => held.length > 0);
    const { metrics } = pipelineOf(core).stats.inputs[0] ?? expect.unreachable();
    await until(() => metrics.has('state'));
    expect(metrics.get('state')).toBe('pushed');
    for (const release of held) release();
    await core.allEnded;
    expect(metrics.get('state')).toBe('confirmed');
  });

  test('stop while the queue is full, and leave nothing behind', async () => {
    stick();
    const { core } = own('input { generator { } } output { stuck { } }', {
      'pipeline.workers': 1,
      'pipeline.unsafe_shutdown': true,
    });
    await core.start();
    const pipeline = pipelineOf(core);
    await until(() => pipeline.inputs.stuckInputs().length > 0);
    await pipeline.stop();
    expect(pipeline.ledger().isBalanced).toBe(true);
    expect(core.threads).toEqual([]);
  });

  test.each([
    ['auto', true],
    ['shared', false],
  ])('are there with %s when they were busy before: %s', async (setting, isApart) => {
    const config = 'input { heartbeat { } } output { collect { into => "own7" } }';
    const { core, runtime } = own(config, { 'pipeline.inputs.thread': setting });
    await runtime.disk.mkdir('data');
    await writeFile(runtime, 'data/busy-inputs.json', JSON.stringify({ main: runtime.clock.wallMs() }));
    await core.start();
    expect(pipelineOf(core).inputs.thread !== null).toBe(isApart);
    const idle = testAgent({ 'config.string': config });
    await idle.core.start();
    expect(pipelineOf(idle.core).inputs.thread).toBe(null);
  });

  test('tell for how long they have worked', async () => {
    const { core } = own('input { generator { count => 20000 } } output { collect { into => "own8" } }');
    await core.start();
    await core.allEnded;
    expect(pipelineOf(core).inputs.workMs).toBeGreaterThan(0);
  });

  test('stay in the main thread where they listen to other pipelines', async () => {
    const { core, runtime } = testAgent({ 'pipeline.inputs.thread': 'own' });
    const file = await runtime.disk.open('pipelines.yml', 'create');
    const text = JSON.stringify([
      {
        'pipeline.id': 'to',
        'config.string': 'input { pipeline { address => "a" } } output { collect { into => "own6" } }',
      },
      {
        'pipeline.id': 'from',
        'config.string': 'input { generator { count => 3 } } output { pipeline { send_to => "a" } }',
      },
    ]);
    await file.write(new TextEncoder().encode(text), 0);
    await file.close();
    await core.start();
    await until(() => collected('own6').length === 3);
    expect(pipelineOf(core, 'to').inputs.thread).toBe(null);
  });

  test('hold up neither the main thread nor other pipelines, and are left when they do not stop', async () => {
    const folder = pluginFolder();
    const core = await threaded(
      {
        bad: 'input { burn { } } output { null { } }',
        good: 'input { heartbeat { interval => 0.01 } } output { null { } }',
      },
      folder,
    );
    const [bad, good] = [pipelineOf(core, 'bad'), pipelineOf(core, 'good')];
    await until(() => bad.ledger().in === 1 && bad.ledger().out === 1);
    writeFileSync(join(folder, 'go'), '');
    await until(() => existsSync(join(folder, 'burning')));
    const outBefore = good.ledger().out;
    await until(() => good.ledger().out > outBefore + 3);
    await bad.stop();
    expect(bad.ledger()).toMatchObject({ out: 1, isBalanced: true });
    expect(core.threads.every((thread) => thread.isOpen)).toBe(true);
  });

  test('take their pipeline along when their thread ends, and no other', async () => {
    const core = await threaded({
      bad: 'input { die { } } output { null { } }',
      good: 'input { heartbeat { interval => 0.01 } } output { null { } }',
    });
    const [bad, good] = [pipelineOf(core, 'bad'), pipelineOf(core, 'good')];
    await bad.ended;
    expect(bad.state).toBe('terminated');
    const outBefore = good.ledger().out;
    await until(() => good.ledger().out > outBefore + 3);
  });
});

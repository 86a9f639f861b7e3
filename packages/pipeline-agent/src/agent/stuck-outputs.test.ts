/**
 * Ends and reloads of pipelines whose output never gets rid of its events: nothing that was taken is lost, and nobody waits for ever.
 */
import { createNodeRuntime, createRecordingLog, type Runtime } from '@shoal/runtime';
import { describe, expect, test } from 'vitest';
import { collected, stick, type TestAgent, testAgent, unstick, until, writeFile } from './agent.test-support.ts';

/** Waits pass a hundred times faster. */
function hurried(): Runtime {
  const base = createNodeRuntime({ log: createRecordingLog() });
  return { ...base, sched: { ...base.sched, after: (ms, run) => base.sched.after(ms / 100, run) } };
}

const COLLECTING = (into: string): string => `collect { into => "${into}" }`;

/** An agent whose only pipeline is in `p.conf`, with events in its output that wait for ever. */
async function stuck(settings: Record<string, unknown>, input: string): Promise<TestAgent> {
  const agent = testAgent(
    { 'path.config': 'p.conf', 'pipeline.workers': 2, 'pipeline.batch.size': 5, ...settings },
    hurried(),
  );
  await writeFile(agent.runtime, 'p.conf', `input { ${input} } output { stuck { } }`);
  stick();
  await agent.core.start();
  const { pipeline } = agent.core.pipelines[0]!;
  await until(() => pipeline.busyPlugins().length > 0);
  return agent;
}

const sequences = (name: string): readonly number[] =>
  collected(name)
    .map(({ event }) => Number((event as Map<string, unknown> | undefined)?.get('sequence')))
    .filter((n) => !Number.isNaN(n))
    .toSorted((a, b) => a - b);

const TYPES = [
  { 'queue.type': 'memory' },
  { 'queue.type': 'persisted' },
  { 'queue.type': 'persisted', 'queue.drain': true },
];

describe('a reload that mends an output which was stuck', () => {
  test.each(TYPES)('is applied, and every event taken reaches the new one: %o', async (settings) => {
    const into = `mended ${Object.values(settings)}`;
    const { core, runtime } = await stuck(settings, 'generator { count => 300 }');
    const { pipeline: old } = core.pipelines[0]!;
    await writeFile(runtime, 'p.conf', `input { heartbeat { interval => 60 } } output { ${COLLECTING(into)} }`);
    await core.reload();
    const { pipeline } = core.pipelines[0]!;
    expect(pipeline).not.toBe(old);
    const taken = old.ledger().in;
    expect(taken).toBeGreaterThan(0);
    await until(() => pipeline.ledger().out >= taken);
    expect(sequences(into)).toEqual(Array.from({ length: taken }, (_, n) => n));
    expect(old.ledger()).toMatchObject({ out: 0, inFlight: taken, isBalanced: true });
    expect(pipeline.ledger()).toMatchObject({ carriedOver: taken, isBalanced: true });
  });

  test('takes from the inputs what waits for room in a queue in memory', async () => {
    const { core, runtime } = await stuck({ 'queue.type': 'memory' }, 'generator { count => 300 }');
    const { pipeline: old } = core.pipelines[0]!;
    await until(() => old.queue?.sizes().unreadCount === 10);
    await writeFile(runtime, 'p.conf', `input { heartbeat { interval => 60 } } output { ${COLLECTING('waiting')} }`);
    await core.reload();
    expect(old.stats.inputs[0]?.out).toBe(old.ledger().in);
  });
});

describe('the end of a pipeline whose output is stuck', () => {
  test.each(['', 'heartbeat { interval => 60 }'])(
    'comes with a full queue on disk, which keeps all: %s',
    async (more) => {
      const limits = { 'queue.type': 'persisted', 'queue.max_events': 20 };
      const { core, log } = await stuck(limits, `generator { count => 300 } ${more}`);
      const { pipeline } = core.pipelines[0]!;
      await until(() => pipeline.ledger().in >= 20);
      await core.stop();
      expect(pipeline.state).toBe('terminated');
      expect(pipeline.ledger()).toMatchObject({ out: 0, isBalanced: true });
      expect(pipeline.ledger().inFlight).toBe(pipeline.ledger().in);
      expect(log.lines.map(({ message }) => message)).toContain(
        'stuck batches are left in the queue for the next start',
      );
    },
  );

  test('comes although the inputs had ended before and the queue on disk was to be emptied', async () => {
    const { core } = await stuck({ 'queue.type': 'persisted' }, 'generator { count => 30 }');
    const { pipeline } = core.pipelines[0]!;
    await until(() => pipeline.ledger().in === 30);
    await core.stop();
    expect(pipeline.ledger()).toMatchObject({ in: 30, out: 0, inFlight: 30, isBalanced: true });
  });

  test('with a queue in memory waits, and names the setting that ends it', async () => {
    const { core, log } = await stuck({}, 'generator { count => 30 }');
    const { pipeline } = core.pipelines[0]!;
    const stop = core.stop();
    await until(() => log.lines.filter(({ message }) => message === 'shutdown waits').length > 3);
    expect(log.lines.find(({ message }) => message === 'shutdown waits')?.fields.hint).toContain(
      'pipeline.unsafe_shutdown',
    );
    expect(pipeline.state).toBe('running');
    unstick();
    await stop;
    expect(pipeline.ledger()).toMatchObject({ inFlight: 0, isBalanced: true });
  });

  test('comes with a queue in memory when it may be unsafe, and says how many events are lost', async () => {
    const { core, log } = await stuck({ 'pipeline.unsafe_shutdown': true }, 'generator { count => 300 }');
    const { pipeline } = core.pipelines[0]!;
    await core.stop();
    const lost = log.lines.find(({ message }) => message.startsWith('events are lost'));
    expect(lost).toMatchObject({ level: 'error', fields: { events: pipeline.ledger().in } });
    expect(pipeline.ledger()).toMatchObject({ out: 0, isBalanced: true });
  });
});

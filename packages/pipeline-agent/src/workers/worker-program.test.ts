import { createEvent, type LogEvent } from '@shoal/agent-event';
import { describe, expect, test } from 'vitest';
import { collected, testAgent } from '../agent/agent.test-support.ts';
import { SeatCells } from '../messages/seat-cells.ts';
import { loadPlan } from '../sources/load-plan.ts';
import { BatchOutcome } from '../stages/batch-outcome.ts';
import { PluginTimeline } from './plugin-timeline.ts';
import { WorkerProgram } from './worker-program.ts';

/** The program of a pipeline with these outputs, and a clock that stands still but for `passMs`. */
async function programOf(outputs: string) {
  const { core, runtime } = testAgent({
    'config.string': `input { pipeline { address => "none" } } output { ${outputs} }`,
  });
  await core.start();
  const { source } = core.pipelines[0]!.pipeline;
  let nowMs = 0;
  const clock = { ...runtime.clock, monotonicMs: () => nowMs };
  const program = new WorkerProgram({
    runtime: { ...runtime, clock },
    source,
    plan: await loadPlan(source, clock),
    cells: new SeatCells(),
    timeline: new PluginTimeline(),
    firstPlugin: 0,
    isAlone: true,
    deliveries: {
      deadLetter: async () => false,
      forward: async () => false,
      deliver: () => Promise.reject(new Error('nothing runs elsewhere')),
    },
  });
  return { program, passMs: (ms: number) => void (nowMs += ms) };
}

/** Batches of so many events each; all are numbered in their order. */
function* batches(count: number, size: number, between: () => void = () => {}): Generator<readonly LogEvent[], void> {
  for (let batch = 0; batch < count; batch++) {
    yield Array.from({ length: size }, (_, i) => createEvent(new Map([['message', batch * size + i]])));
    between();
  }
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);
const calls = (name: string): unknown[] => collected(name).map(({ messages }) => messages);

describe('batches of one message', () => {
  test('come in one call to an output that joins them, in their order, and one by one to others', async () => {
    const { program } = await programOf('joined { into => "together" } solo { into => "apart" }');
    const outcome = new BatchOutcome();
    await program.work(batches(5, 3), outcome);
    expect(calls('together')).toEqual([numbers(0, 15)]);
    expect(collected('apart').map(({ count, atOnce }) => [count, atOnce])).toEqual(Array(5).fill([3, 1]));
    expect(outcome).toMatchObject({ filtered: 15, out: 15 });
  });

  test('are joined with their conditions', async () => {
    const { program } = await programOf(
      'if [message] < 4 { joined { into => "low" } } else { joined { into => "high" } }',
    );
    await program.work(batches(3, 3), new BatchOutcome());
    expect([calls('low'), calls('high')]).toEqual([[numbers(0, 4)], [numbers(4, 9)]]);
  });

  test('are not joined beyond a thousand events', async () => {
    const { program } = await programOf('joined { into => "many" }');
    await program.work(batches(5, 400), new BatchOutcome());
    expect(calls('many')).toEqual([numbers(0, 1200), numbers(1200, 2000)]);
  });

  test('do not wait for one that is long in the filters', async () => {
    const { program, passMs } = await programOf('joined { into => "slow" }');
    await program.work(
      batches(5, 2, () => passMs(12)),
      new BatchOutcome(),
    );
    expect(calls('slow')).toEqual([numbers(0, 6), numbers(6, 10)]);
  });

  test('are given up together by an output that joins them, and by no other', async () => {
    const { program } = await programOf('if [message] < 5 { joined { id => "j" into => "failing" throws => true } }');
    const outcome = new BatchOutcome();
    await program.work(batches(3, 4), outcome);
    expect(outcome.dropped).toEqual([['j', 5]]);
    expect(outcome.out).toBe(7);
  });
});

test('an output that joins batches gets what came while it was busy, each event once and in order', async () => {
  const { core } = testAgent({
    'pipeline.workers': 1,
    'pipeline.batch.size': 10,
    'config.string': `input { generator { count => 3000 } }
      filter { mutate { replace => { "message" => "%{[event][sequence]}" } } } output { joined { into => "busy" } }`,
  });
  await core.start();
  await core.allEnded;
  const got = calls('busy') as string[][];
  expect(got.flat()).toEqual(numbers(0, 3000).map(String));
  // 300 batches.
  expect(got.length).toBeLessThan(200);
  expect(core.pipelines[0]!.pipeline.ledger()).toMatchObject({ in: 3000, out: 3000, isBalanced: true });
});

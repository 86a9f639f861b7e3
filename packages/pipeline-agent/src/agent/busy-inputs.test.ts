import { createNodeRuntime, createRecordingLog, type RecordingLog, type Runtime } from '@shoal/runtime';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeFile } from './agent.test-support.ts';
import { BusyInputs, type WatchedPipeline } from './busy-inputs.ts';

const LOOK_MS = 5_000;
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const PATH = 'data/busy-inputs.json';

let log: RecordingLog;
let nowMs: number;
let due: (() => void)[];
let runtime: Runtime;

beforeEach(async () => {
  log = createRecordingLog();
  nowMs = 0;
  due = [];
  const after = (_ms: number, fn: () => void) => {
    due.push(fn);
    return () => void (due = due.filter((other) => other !== fn));
  };
  const real = createNodeRuntime({ log });
  const clock = { ...real.clock, monotonicMs: () => nowMs, wallMs: () => 1_000_000_000_000 + nowMs };
  runtime = { ...real, clock, sched: { ...real.sched, after } };
  await runtime.disk.mkdir('data');
});

const pipeline = (id = 'p', inputThread = 'auto') => ({
  source: { id, settings: { inputThread } },
  inputs: { workMs: 0, thread: null as object | null },
});

async function watching(pipelines: readonly WatchedPipeline[]): Promise<BusyInputs> {
  const busy = new BusyInputs(runtime, PATH);
  await busy.load();
  busy.watch(() => pipelines);
  look();
  return busy;
}

function look(): void {
  nowMs += LOOK_MS;
  for (const fn of due.splice(0)) fn();
}

/** One look a share: the part of the time before it that the inputs worked. */
function work(watched: readonly ReturnType<typeof pipeline>[], shares: readonly number[]): void {
  for (const share of shares) {
    for (const { inputs } of watched) inputs.workMs += share * LOOK_MS;
    look();
  }
}

describe('inputs of a pipeline', () => {
  test('are busy when they work a quarter of the time in three looks in a row', async () => {
    const watched = pipeline();
    const busy = await watching([watched]);
    work([watched], [0.9, 0.9, 0.24, 0.9, 0.25]);
    expect(busy.has('p')).toBe(false);
    expect(log.lines).toEqual([]);
    work([watched], [0.3, 0.9]);
    expect(busy.has('p')).toBe(true);
    expect(log.lines).toMatchObject([{ level: 'info', fields: { pipeline: 'p', share: 0.3 } }]);
    expect(busy.has('other')).toBe(false);
  });

  test('stay known to the next process, for a week after they were busy last', async () => {
    const watched = pipeline();
    const first = await watching([watched]);
    work([watched], [1, 1, 1]);
    await first.stop();
    const next = await watching([]);
    nowMs = WEEK_MS;
    expect(next.has('p')).toBe(true);
    nowMs += 10 * LOOK_MS;
    expect(next.has('p')).toBe(false);
  });

  test('stay known as long as they are busy in a thread of their own, of which nothing is said', async () => {
    const watched = pipeline();
    watched.inputs.thread = {};
    const busy = await watching([watched]);
    work([watched], [1, 1, 1]);
    nowMs += WEEK_MS;
    work([watched], [0, 1, 1, 1]);
    await busy.stop();
    const next = await watching([]);
    expect(next.has('p')).toBe(true);
    expect(log.lines).toEqual([]);
  });

  test('are not looked at where a setting says which thread they have', async () => {
    const watched = [pipeline('one', 'shared'), pipeline('other', 'own')];
    const busy = await watching(watched);
    work(watched, [1, 1, 1]);
    expect([busy.has('one'), busy.has('other')]).toEqual([false, false]);
  });

  test('are remembered of sixteen pipelines, those that were busy last', async () => {
    const watched = Array.from({ length: 17 }, (_, n) => pipeline(`p${n}`));
    const busy = await watching(watched);
    work(watched.slice(0, 1), [1, 1, 1]);
    work(watched.slice(1), [1, 1, 1]);
    expect(watched.filter(({ source }) => !busy.has(source.id)).map(({ source }) => source.id)).toEqual(['p0']);
  });

  test.each(['', '[]', '{"p":', '{"p": "yesterday"}'])('are not known from a file of %j', async (text) => {
    await writeFile(runtime, PATH, text);
    const busy = await watching([]);
    expect(busy.has('p')).toBe(false);
  });
});

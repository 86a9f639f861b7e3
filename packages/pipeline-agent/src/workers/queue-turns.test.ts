import type { QueuedBatch, QueueSizes } from '@shoal/agent-queue';
import { createNodeRuntime, createSilentLog, type Runtime, type WorkerHandle } from '@shoal/runtime';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FromThread, ToThread } from '../messages/thread-messages.ts';
import type { BatchReport } from '../messages/worker-messages.ts';
import { AGENT_SETTINGS } from '../settings/agent-settings.ts';
import { readPipelineSources } from '../sources/pipeline-sources.ts';
import { PipelineThreads } from './pipeline-threads.ts';
import { QueueTurns } from './queue-turns.ts';
import { WorkerPool } from './worker-pool.ts';

/** A loop whose clock stands still but for what steps cost, and that turns when it is told to. */
class Loop {
  nowMs = 0;
  private due: (() => void)[] = [];
  readonly clock = { monotonicMs: () => this.nowMs, wallMs: () => this.nowMs };
  readonly sched = { soon: (fn: () => void) => void this.due.push(fn), after: () => () => undefined };

  async turn(): Promise<void> {
    const { due } = this;
    this.due = [];
    for (const fn of due) fn();
    await settled();
  }
}

/** All promises that can go on have gone on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let loop: Loop;
beforeEach(() => {
  loop = new Loop();
});

describe('pipelines at their queues', () => {
  test('work for five milliseconds together, and go on in a later turn in the order of their coming', async () => {
    const turns = new QueueTurns(loop);
    const order: string[] = [];
    const goOn = (name: string, ms: number) => (): void =>
      turns.timed(() => void order.push(name, `${(loop.nowMs += ms)}`));
    const first = goOn('first', 5);
    turns.timed(() => void (loop.nowMs += 4));
    expect(turns.isOver).toBe(false);
    turns.timed(() => void (loop.nowMs += 1));
    expect(turns.isOver).toBe(true);
    for (const waiting of [first, goOn('second', 1), first]) turns.later(waiting);
    expect(order).toEqual([]);
    await loop.turn();
    expect(order).toEqual(['first', '10']);
    await loop.turn();
    expect(order).toEqual(['first', '10', 'second', '11']);
    await loop.turn();
    expect(order).toHaveLength(4);
  });
});

const REPORT: BatchReport = {
  taken: 0,
  created: 0,
  filtered: 0,
  out: 0,
  deadLettered: 0,
  dropped: [],
  durationMs: 0,
  joinedMs: 0,
  heap: null,
  counts: new Float64Array(0),
  metrics: [],
};

/** A thread whose workers have answered before the next batch is taken. */
function fastThread(): WorkerHandle {
  let hear: (message: unknown) => void = () => undefined;
  const say = (message: FromThread): void => void Promise.resolve().then(() => hear(message));
  return {
    post: (given) => {
      const message = given as ToThread; // Posted by shared-thread.ts.
      if (message.kind === 'close') say({ kind: 'closed', seat: message.seat });
      if (message.kind !== 'worker') return;
      const { seat } = message;
      const { kind } = message.message;
      if (kind === 'build')
        say({
          kind: 'worker',
          seat,
          message: { kind: 'built', canFlush: false, canMove: true, threadId: null, report: REPORT },
        });
      if (kind === 'start') say({ kind: 'worker', seat, message: { kind: 'started' } });
      if (kind === 'batches') say({ kind: 'worker', seat, message: { kind: 'done', report: REPORT } });
    },
    onMessage: (handler) => void (hear = handler),
    onExit: () => undefined,
    terminate: async () => undefined,
  };
}

/** Full batches for ever, each of which costs some time; tells the ids of those that were taken and are done. */
function endlessQueue(takeMs: number): { taken: number; done: number; queue: Parameters<WorkerPool['start']>[0] } {
  const sizes: QueueSizes = {
    type: 'memory',
    unreadCount: 1000,
    acceptedCount: 0,
    bytes: 0,
    bytesMax: 1,
    lostCount: 0,
    lostUnreadCount: 0,
    trouble: null,
  };
  const counts = {
    taken: 0,
    done: 0,
    queue: {
      take: async (count: number): Promise<QueuedBatch> => {
        loop.nowMs += takeMs;
        return { id: counts.taken++, count, chunks: [] };
      },
      acknowledge: () => void counts.done++,
      sizes: () => sizes,
      push: async () => undefined,
      pushLines: async () => 0,
      pushChunks: async () => undefined,
      onReadable: () => undefined,
      onFailed: () => undefined,
      carriedOverCount: 0,
      refusePushes: () => undefined,
      close: async () => undefined,
    },
  };
  return counts;
}

describe('a pipeline whose worker is faster than the thread that takes batches for it', () => {
  test('leaves that thread to others after each few milliseconds, and goes on', async () => {
    const real = createNodeRuntime({ log: createSilentLog() });
    const workers = { spawn: fastThread, isInline: false };
    const runtime: Runtime = { ...real, clock: loop.clock, sched: loop.sched, workers };
    const settings = AGENT_SETTINGS.parse({ 'config.string': 'input { }' });
    const [source] = await readPipelineSources({ runtime: real, settings, environment: {}, hostName: 'h' });
    const unexpected = async (): Promise<never> => expect.unreachable();
    const owner = {
      reported: () => undefined,
      lost: unexpected,
      pluginName: () => 'p',
      deadLetter: unexpected,
      forward: unexpected,
      deliver: unexpected,
      broken: (error: unknown) => expect.unreachable(String(error)),
    };
    const threads = new PipelineThreads(runtime);
    const pool = new WorkerPool({ runtime, threads, source: source ?? expect.unreachable(), countMax: 1, owner });
    await pool.prepare();
    const counts = endlessQueue(2);
    await pool.start(counts.queue);
    await settled();
    expect(counts).toMatchObject({ taken: 3, done: 3 });
    await loop.turn();
    expect(counts).toMatchObject({ taken: 6, done: 6 });
    await pool.terminate();
  });
});

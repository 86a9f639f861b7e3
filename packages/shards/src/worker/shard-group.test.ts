import { ShoalError } from '@shoal/core';
import type { Shard, StopSignal } from '@shoal/engine';
import { SearchCodec } from '@shoal/protocol';
import { searchRequest } from '@shoal/query';
import { createNodeRuntime, createSilentLog, type Runtime, ThreadTurns } from '@shoal/runtime';
import type { QueryShardRequest, ShardQueryResult } from '@shoal/shard-api';
import { describe, expect, test } from 'vitest';
import type { GroupAnswer } from '../calls/worker-calls.ts';
import { ShardGroup } from './shard-group.ts';

const searches = new SearchCodec();
const search = searches.packSearch({ request: searchRequest({ size: 3 }), aggregations: null });

function resultOf(contextId: number, bytes: number): ShardQueryResult {
  return {
    contextId,
    total: null,
    maxScore: null,
    columns: [],
    scores: null,
    ords: new Uint32Array(0),
    aggregations: new Uint8Array(bytes),
    groups: null,
    profile: null,
    timedOut: false,
    terminatedEarly: false,
    isSkipped: false,
  };
}

interface Setup {
  /** What shard `i` does before it answers. */
  readonly work?: (i: number, stop: StopSignal) => Promise<void> | void;
  readonly bytes?: number;
  readonly concurrency?: number;
  readonly stop?: StopSignal;
}

/** A thread of eight shards, whose timers a test ends. */
class Thread {
  readonly freed: number[] = [];
  readonly asked: QueryShardRequest[] = [];
  running = 0;
  mostRunning = 0;
  #timers: (() => void)[] = [];

  timeOut(): void {
    for (const timer of this.#timers.splice(0)) timer();
  }

  async query({ work, bytes = 0, concurrency = 2, stop = { isStopped: false } }: Setup) {
    const plain = createNodeRuntime({ log: createSilentLog() });
    const after = (_: number, fn: () => void): (() => void) => {
      this.#timers.push(fn);
      return () => {
        this.#timers = this.#timers.filter((timer) => timer !== fn);
      };
    };
    const runtime: Runtime = { ...plain, sched: { ...plain.sched, soon: plain.sched.soon.bind(plain.sched), after } };
    const shardOf = (key: string): Shard => {
      const i = Number(key);
      const shard = {
        query: async (request: QueryShardRequest, signal: StopSignal) => {
          this.asked.push(request);
          this.mostRunning = Math.max(this.mostRunning, ++this.running);
          await Promise.resolve(work?.(i, signal)).finally(() => this.running--);
          return resultOf(i, bytes);
        },
        freeContext: (contextId: number) => this.freed.push(contextId) > 0,
      };
      return shard as unknown as Shard;
    };
    const parts = { runtime, turns: new ThreadTurns(plain.sched), searches, shardOf };
    const shards = Array.from({ length: 8 }, (_, i) => {
      return { key: String(i), aliasFilter: null, shardIndex: i, reader: null, indexBoost: 1 };
    });
    const shared = { topN: 3, nowMs: 0, keepAliveMs: 1, isScroll: false, statistics: null };
    const query = { ...shared, search, canSkip: false, usesCache: null };
    const args = { key: '0', query, shards, concurrency, waitMs: 1_000, bytesMax: 1_000, stopSlot: -1 };
    return (await new ShardGroup(parts, args, stop).query()).map(shown);
  }
}

function shown(answer: GroupAnswer | null): unknown {
  if (answer === null) return null;
  if (answer.kind === 'failed') return answer.error.type;
  return answer.kind === 'answered' ? answer.contextId : answer.kind;
}

describe('shards of a thread that are asked in one call', () => {
  test('answer in their order, so many at a time as asked for, and read the search once', async () => {
    const thread = new Thread();
    const work = async (i: number): Promise<void> => {
      await Promise.resolve();
      if (i === 5) throw new ShoalError('x_exception', 500, 'why');
    };
    expect(await thread.query({ work })).toEqual([0, 1, 2, 3, 4, 'x_exception', 6, 7]);
    expect(thread.mostRunning).toBe(2);
    expect(new Set(thread.asked.map((request) => request.search)).size).toBe(1);
    expect(thread.asked.map(({ shardIndex }) => shardIndex)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('are left out from where their answers have no room, and what they keep is let go of', async () => {
    const thread = new Thread();
    const answers = await thread.query({ bytes: 400, concurrency: 1 });
    expect(answers).toEqual([0, 1, null, null, null, null, null, null]);
    expect([thread.freed, thread.asked.length]).toEqual([[2], 3]);
    // One at least is answered, however large.
    expect(await new Thread().query({ bytes: 5_000, concurrency: 1 })).toEqual([0, ...new Array(7).fill(null)]);
  });

  test('that take too long are stopped, and hold up no other', async () => {
    const thread = new Thread();
    let wasStopped = false;
    let end = (): void => {};
    const work = async (i: number, stop: StopSignal): Promise<void> => {
      if (i !== 3) return;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      thread.timeOut();
      wasStopped = stop.isStopped;
      await ended;
    };
    expect(await thread.query({ work, concurrency: 1 })).toEqual([0, 1, 2, 'late', 4, 5, 6, 7]);
    expect(wasStopped).toBe(true);
    end();
    await new Promise<void>((resolve) => setImmediate(resolve));
    expect(thread.freed).toEqual([3]);
  });

  test('are not begun when the search was cancelled', async () => {
    const thread = new Thread();
    const stop = { isStopped: false };
    const work = (i: number): void => {
      if (i === 2) stop.isStopped = true;
    };
    expect(await thread.query({ work, concurrency: 1, stop })).toEqual([0, 1, 2, null, null, null, null, null]);
  });
});

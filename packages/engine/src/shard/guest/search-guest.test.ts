import { createMemoryDisk, createNodeRuntime, createSilentLog, type Runtime, ThreadTurns } from '@shoal/runtime';
import type { ShardQueryResult } from '@shoal/shard-api';
import { expect, test } from 'vitest';
import { BLOCK_DOCS } from '../../format/reader/number-blocks.ts';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { shardRequest } from '../../phases/query/memory-searcher.test-support.ts';
import type { Shard } from '../contract/shard.ts';
import { openShard } from '../lifecycle/open-shard.ts';
import { index, remove, shardOptions } from '../lifecycle/shard-fixture.test-support.ts';
import { SearchGuest } from './search-guest.ts';

const BODY = {
  size: 0,
  track_total_hits: true,
  query: { match: { title: 'quick' } },
  aggs: {
    tags: { terms: { field: 'tag', size: 5 }, aggs: { n: { sum: { field: 'n' } } } },
    s: { stats: { field: 'n' } },
  },
};

/** A shard whose searches are divided, or not, and the guest that takes part in them. */
class Pair {
  readonly disk = createMemoryDisk();
  readonly guest: SearchGuest;
  isDivided = true;
  /** Parts that the guest collected, and why it could not. */
  byGuest = 0;
  failures: unknown[] = [];
  timers: (() => void)[] = [];
  private lastGuest: Promise<void> = Promise.resolve();
  private shard: Shard | null = null;
  private readonly runtime: Runtime;

  constructor() {
    // Looks at the clock take time: the threads take turns.
    let nowMs = 0;
    const clock = { monotonicMs: () => nowMs++, wallMs: () => 0 };
    this.runtime = { ...createNodeRuntime({ log: createSilentLog() }), disk: this.disk, clock };
    const { sched } = this.runtime;
    const after = (_ms: number, fn: () => void) => {
      this.timers.push(fn);
      return () => {
        this.timers = this.timers.filter((other) => other !== fn);
      };
    };
    this.guest = new SearchGuest({
      runtime: { ...this.runtime, sched: { ...sched, soon: (fn) => sched.soon(fn), after } },
      memory: createSegmentMemory({ bytesMax: 2 ** 26 }),
      turns: new ThreadTurns(sched),
      breaker: null,
    });
  }

  async open(): Promise<Shard> {
    const pair = this;
    const division: NonNullable<Parameters<typeof openShard>[3]>['division'] = {
      get matchesMin(): number {
        return pair.isDivided ? 0 : Number.POSITIVE_INFINITY;
      },
      partDocsMin: BLOCK_DOCS,
      askAfterMs: 0,
      ask: ({ searcher, request, shared }, onStates) => {
        let areDone = false;
        const answer = pair.guest.search(structuredClone(searcher), request, shared).then(
          (found) => {
            for (const { parts } of found) pair.byGuest += parts.length;
            onStates(structuredClone(found));
          },
          (error: unknown) => {
            pair.failures.push(error);
          },
        );
        const done = answer.then(() => {
          areDone = true;
        });
        pair.lastGuest = done;
        return {
          get areDone(): boolean {
            return areDone;
          },
          wait: () => done,
        };
      },
    };
    const memory = createSegmentMemory({ bytesMax: 2 ** 26 });
    const turns = new ThreadTurns(this.runtime.sched);
    this.shard = await openShard(this.runtime, shardOptions(), memory, { turns, breaker: null, division });
    return this.shard;
  }

  private async ask(): Promise<Pick<ShardQueryResult, 'aggregations' | 'total'>> {
    const packed = { search: new Uint8Array(0), aliasFilter: null };
    const stop = { isStopped: false };
    const result = await (this.shard as Shard).query(shardRequest(BODY, { packed, topN: 0, usesCache: false }), stop);
    return { aggregations: result.aggregations, total: result.total };
  }

  /** The answer of both, which must be that of the owner alone. */
  async check(): Promise<void> {
    this.isDivided = false;
    const alone = await this.ask();
    this.isDivided = true;
    expect(await this.ask()).toEqual(alone);
    await this.lastGuest;
  }
}

const docs = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) =>
    index(`d${from + i}`, {
      title: (from + i) % 3 === 0 ? 'slow' : 'quick one',
      tag: `t${(from + i) % 11}`,
      n: from + i,
    }),
  );

test('a guest reads what the owner sees: files, segments without files, deleted documents', async () => {
  const pair = new Pair();
  const shard = await pair.open();
  await shard.write(docs(0, 5_000));
  await shard.flush(false);
  await shard.write([...docs(5_000, 3_000), remove('d3'), remove('d4')]);
  await shard.refresh();
  await pair.check();
  expect(pair.failures).toEqual([]);
  const byFirst = pair.byGuest;
  expect(byFirst).toBeGreaterThan(0);
  // The second search finds its segments open, with other documents deleted.
  await shard.write([remove('d1'), remove('d2'), remove('d5003')]);
  await shard.refresh();
  await pair.check();
  expect(pair.failures).toEqual([]);
  expect(pair.byGuest).toBeGreaterThan(byFirst);
  await shard.close();
});

test('a guest closes segments that the owner merged away with the next search, and all when none comes', async () => {
  const pair = new Pair();
  const shard = await pair.open();
  await shard.write(docs(0, 3_000));
  await shard.flush(false);
  await shard.write(docs(3_000, 3_000));
  await shard.flush(false);
  await shard.refresh();
  await pair.check();
  expect(pair.byGuest).toBeGreaterThan(0);
  await shard.forceMerge({ segmentsMax: 1, onlyExpungeDeletes: false }, true);
  await pair.check();
  expect(pair.failures).toEqual([]);
  expect(pair.guest.visitedShards).toBe(1);
  expect(pair.timers).toHaveLength(1);
  for (const timer of pair.timers) timer();
  expect(pair.guest.visitedShards).toBe(0);
  await shard.close();
});

test('a guest that cannot read a file leaves its parts to the owner', async () => {
  const pair = new Pair();
  const shard = await pair.open();
  await shard.write(docs(0, 3_000));
  await shard.flush(false);
  await shard.refresh();
  const { open } = pair.disk;
  let refused = 0;
  pair.disk.open = (path, mode) => {
    if (mode === 'read' && path.endsWith('.seg')) {
      refused++;
      return Promise.reject(new Error('the file is gone'));
    }
    return open.call(pair.disk, path, mode);
  };
  await pair.check();
  expect(pair.byGuest).toBe(0);
  expect(pair.failures).toHaveLength(1);
  expect(refused).toBe(1);
  await shard.close();
});

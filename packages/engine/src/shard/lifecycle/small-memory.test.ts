import { createMemoryDisk, type Disk, type Runtime } from '@shoal/runtime';
import type { FetchedHit, QueryShardRequest } from '@shoal/shard-api';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { SegmentPaging } from '../../memory/segment-paging.ts';
import { createSegmentMemory, type ThreadMemory } from '../../memory/thread-memory.ts';
import { shardRequest, TINY_PAGES } from '../../phases/query/memory-searcher.test-support.ts';
import type { Shard } from '../contract/shard.ts';
import { openShard } from './open-shard.ts';
import { createTestRuntime, index, remove, shardOptions, shown } from './shard-fixture.test-support.ts';

const DOCS = 20_000;
const BATCH = 1_000;
const SMALL_BYTES = 800_000;

const mapping = {
  properties: {
    body: { type: 'text' },
    tag: { type: 'keyword' },
    n: { type: 'long' },
    many: { type: 'long' },
    at: { type: 'date' },
  },
};

/** The same words for the same number: few of them are frequent. */
function bodyOf(doc: number): string {
  let state = doc * 7919 + 1;
  const words: string[] = [];
  for (let i = 0; i < 30; i++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    words.push(`w${Math.floor(400 * (state / 2_147_483_648) ** 3)}`);
  }
  return words.join(' ');
}

function sourceOf(doc: number): unknown {
  const many = doc % 3 === 0 ? [] : [doc % 11, doc % 7];
  return { body: bodyOf(doc), tag: `t${doc % 57}`, n: (doc * 31) % 5_000, many, at: 1_700_000_000_000 + doc * 60_000 };
}

/** Every look at the clock takes a while, so that searches pause often. */
function hastyRuntime(disk: Disk): { readonly runtime: Runtime; readonly advance: (ms: number) => Promise<void> } {
  const still = createTestRuntime(disk);
  let passedMs = 0;
  const monotonicMs = (): number => still.clock.monotonicMs() + (passedMs += 2);
  const runtime = { ...still, clock: { monotonicMs, wallMs: () => 1_700_000_000_000 } };
  return { runtime, advance: (ms) => still.advance(ms) };
}

interface Filled {
  readonly disk: Disk;
  readonly shard: Shard;
  readonly memory: ThreadMemory;
}

async function fill(bytesMax: number, paging?: SegmentPaging): Promise<Filled> {
  const disk = createMemoryDisk();
  const memory = createSegmentMemory({ bytesMax, ...(paging && { paging }) });
  const { runtime, advance } = hastyRuntime(disk);
  const shard = await openShard(runtime, shardOptions({ mapping }), memory);
  for (let from = 0; from < DOCS; from += BATCH) {
    const operations = Array.from({ length: BATCH }, (_, i) => index(`${from + i}`, sourceOf(from + i)));
    // Some documents of the previous batch are deleted and some are written again.
    for (let doc = from - BATCH; doc >= 0 && doc < from; doc += 37) operations.push(remove(`${doc}`));
    for (let doc = from - BATCH + 5; doc >= 0 && doc < from; doc += 53)
      operations.push(index(`${doc}`, sourceOf(doc + DOCS)));
    const { results } = await shard.write(operations);
    for (let i = 0; i < operations.length; i++) expect(shown(results.at(i))).not.toContain('exception');
    await shard.refresh();
    await advance(1_000);
  }
  await shard.flush(true);
  await advance(1_000);
  await shard.flush(true);
  return { disk, shard, memory };
}

function request(body: unknown): QueryShardRequest {
  return shardRequest(body, { topN: 12, keepAliveMs: 60_000 });
}

const stop = { isStopped: false };

function shownHit({ id, source, highlight }: FetchedHit): unknown {
  return [id, source === null ? null : new TextDecoder().decode(source), highlight];
}

/** What a search shows, without what depends on how segments were merged. */
async function answer(shard: Shard, body: unknown): Promise<unknown> {
  const result = await shard.query(request(body), stop);
  const hits =
    result.contextId === null
      ? []
      : await shard.fetch({ contextId: result.contextId, ords: result.ords, consumed: null, request: null }, stop);
  return { total: result.total, hits: hits.map(shownHit), aggregations: result.aggregations };
}

const word = fc.integer({ min: 0, max: 399 }).map((n) => `w${n}`);
const query = fc.oneof(
  word.map((one) => ({ match: { body: one } })),
  fc.tuple(word, word).map(([a, b]) => ({ match: { body: `${a} ${b}` } })),
  fc.tuple(word, word).map(([a, b]) => ({ match: { body: { query: `${a} ${b}`, operator: 'and' } } })),
  fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })).map(([a, b]) => ({
    match_phrase: { body: `w${a} w${b}` },
  })),
  word.map((one) => ({ prefix: { body: one.slice(0, 2) } })),
  fc.integer({ min: 0, max: 60 }).map((n) => ({ term: { tag: `t${n}` } })),
  fc.nat(5_000).map((n) => ({ range: { n: { gte: n, lt: n + 300 } } })),
  fc.nat(10).map((n) => ({ term: { many: n } })),
  fc.tuple(word, fc.nat(56)).map(([one, n]) => ({
    bool: { must: [{ match: { body: one } }], filter: [{ term: { tag: `t${n}` } }], must_not: [{ term: { many: 3 } }] },
  })),
  fc.nat(DOCS).map((n) => ({ ids: { values: [`${n}`, `${n + 1}`] } })),
  fc.constant({ match_all: {} }),
);
// Segments are merged at other moments, so that only an order of the documents' own is the same.
const sort = fc.constantFrom([{ n: 'asc' }, { at: 'desc' }], [{ tag: 'desc' }, { at: 'asc' }], [{ at: 'desc' }]);
const aggs = fc.constantFrom(null, { a: { terms: { field: 'tag', size: 5 }, aggs: { s: { stats: { field: 'n' } } } } });
const search = fc.tuple(query, sort, aggs).map(([one, order, wanted]) => ({
  query: one,
  sort: order,
  size: 12,
  track_total_hits: true,
  highlight: { fields: { body: {} } },
  ...(wanted === null ? {} : { aggs: wanted }),
}));

let smalls: readonly Filled[];
let large: Filled;
beforeAll(async () => {
  smalls = [await fill(SMALL_BYTES), await fill(SMALL_BYTES, TINY_PAGES)];
  large = await fill(2 ** 31);
});

describe.each([
  ['whole', 0],
  ['by pages', 1],
])('an index that is larger than its memory, whose sections are read %s,', (_name, which) => {
  let small: Filled;
  beforeAll(() => {
    small = smalls[which] as Filled;
  });

  test('takes no more than its memory when nothing runs, and writes go on', () => {
    const { storeBytes, docCount } = small.shard.stats();
    expect(docCount).toBe(large.shard.stats().docCount);
    expect(storeBytes).toBeGreaterThan(SMALL_BYTES * 4);
    expect(small.memory.usedBytes).toBeLessThan(SMALL_BYTES);
  });

  test('answers as one that is all in memory, many searches at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(search, { minLength: 3, maxLength: 3 }), async (bodies) => {
        const [found, expected] = await Promise.all([
          Promise.all(bodies.map((body) => answer(small.shard, body))),
          Promise.all(bodies.map((body) => answer(large.shard, body))),
        ]);
        expect(found).toEqual(expected);
      }),
      { numRuns: 60 },
    );
    expect(small.memory.sections.plainBytes).toBeLessThan(SMALL_BYTES);
    expect(small.memory.usedBytes).toBeLessThan(SMALL_BYTES);
    expect(large.memory.usedBytes).toBeGreaterThan(SMALL_BYTES);
  });

  test('finds any document by its id', () => {
    for (let doc = 1; doc < DOCS; doc += 331) {
      const [a, b] = [small, large].map(({ shard }) => shard.get({ id: `${doc}`, realtime: true }));
      expect(a?.source).toEqual(b?.source);
    }
  });
});

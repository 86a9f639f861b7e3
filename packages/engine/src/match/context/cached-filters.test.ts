import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FlatSegment } from '../../format/flat-segment.ts';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { ShardFilters } from '../../memory/filter-use.ts';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import type { QueryContext } from '../../phases/context/query-context.ts';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';
import { filterKey } from './cached-filters.ts';

const MAPPING = {
  properties: { n: { type: 'long' }, at: { type: 'date' }, tag: { type: 'keyword' }, body: { type: 'text' } },
};
const DAY_MS = 86_400_000;
const memory = createSegmentMemory({ bytesMax: 2 ** 27 });
let made = 0;
const groups = [12_000, 10_500, 700].map((count) =>
  Array.from({ length: count }, () => {
    const i = made++;
    const mixed = Math.imul(i, 2_654_435_761) >>> 8;
    const source = {
      ...(mixed % 5 !== 0 && { n: mixed % 100 }),
      at: 1_700_000_000_000 + i * 60_000,
      tag: `t${(mixed >>> 4) % 7}`,
      body: `w${mixed % 3} w${mixed % 11}`,
    };
    return { id: String(i), source: JSON.stringify(source) };
  }),
);
const base = memoryContext(MAPPING, groups, () => false, memory);

/** What a shard's searcher may be after some writes: some of the segments, some of their documents. */
function afterWrites(which: number, every: number): QueryContext {
  const views: SegmentView[] = [];
  let docBase = 0;
  let liveCount = 0;
  for (const [i, { segment }] of base.searcher.views.entries()) {
    if (((which >> i) & 1) === 0) continue;
    const live = new Uint8Array((segment.docCount + 7) >> 3);
    let liveHere = 0;
    for (let doc = 0; doc < segment.docCount; doc++) {
      if (every > 0 && (doc + which) % every === 0) continue;
      live[doc >> 3]! |= 1 << (doc & 7);
      liveHere++;
    }
    views.push({ segment, liveDocs: every > 0 ? live : null, liveCount: liveHere, docBase });
    docBase += segment.docCount;
    liveCount += liveHere;
  }
  return { ...base, searcher: { generation: 1, views, maxDoc: docBase, liveCount } };
}

// Few different ones, so that most come again.
const filter = fc.constantFrom(
  { term: { tag: 't1' } },
  { term: { n: 7 } },
  { terms: { tag: ['t2', 't5'] } },
  { terms: { n: [3, 50, 51] } },
  { range: { n: { gte: 10, lt: 60 } } },
  { range: { n: { gte: 1_000 } } },
  { range: { at: { gte: 1_700_100_000_000, lt: 'now/d' } } },
  { range: { tag: { gte: 't1', lt: 't4' } } },
  { exists: { field: 'n' } },
  { prefix: { tag: 't' } },
  { wildcard: { tag: 't*2' } },
  { wildcard: { tag: 'T*2' } },
  { wildcard: { tag: { value: 'T*2', case_insensitive: true } } },
  { prefix: { tag: { value: 'T', case_insensitive: true } } },
  { regexp: { tag: 't[35]' } },
);
const query = fc
  .record(
    {
      must: fc.constantFrom([{ match: { body: 'w1 w7' } }], [{ term: { body: 'w2' } }]),
      filter: fc.array(filter, { minLength: 1, maxLength: 2 }),
      must_not: fc.array(filter, { maxLength: 1 }),
    },
    { requiredKeys: ['filter'] },
  )
  .map((bool) => ({ bool }));

describe('kept filters', () => {
  const shard = new ShardFilters();

  test('answer as filters that are looked up anew, whatever was written between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom(0, 0, 3, 50),
        fc.oneof(query, filter),
        fc.constantFrom<object>({}, { sort: [{ n: 'desc' }] }, { sort: [{ at: 'desc' }] }),
        fc.constantFrom(0, 10),
        fc.constantFrom(20, 21, 400),
        async (which, every, one, sort, topN, days) => {
          const context = afterWrites(which, every);
          const body = { query: one, track_total_hits: true, ...sort };
          const options = { topN, nowMs: 1_700_000_000_000 + days * DAY_MS };
          const expected = await runQuery(context, body, options);
          expect(await runQuery({ ...context, filters: shard }, body, options)).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
    expect(shard.hits).toBeGreaterThan(100);
    expect(shard.kept).toBeGreaterThan(5);
    expect(shard.bytes).toBe(memory.filters.usedBytes);
  });

  test('are kept from the second request on, and go with their segment', async () => {
    const own = createSegmentMemory({ bytesMax: 2 ** 27 });
    const filters = new ShardFilters();
    const context = { ...memoryContext(MAPPING, groups.slice(0, 1), () => false, own), filters };
    const body = { query: { range: { n: { gte: 3, lt: 44 } } } };
    await runQuery(context, body);
    expect(filters).toMatchObject({ hits: 0, misses: 1, kept: 0 });
    await runQuery(context, body);
    expect(filters).toMatchObject({ hits: 0, misses: 2, kept: 1 });
    await runQuery(context, body);
    expect(filters).toMatchObject({ hits: 1, misses: 2, kept: 1 });
    const [view] = context.searcher.views;
    if (view?.segment instanceof FlatSegment) view.segment.release();
    expect(filters).toMatchObject({ kept: 0, bytes: 0, added: 1, evictions: 0 });
    expect(own.filters.usedBytes).toBe(0);
  });

  test('are kept for small segments too where a dictionary is looked through', async () => {
    const own = createSegmentMemory({ bytesMax: 2 ** 27 });
    const small = groups.map((group) => group.slice(0, 300));
    const kept = async (query: object): Promise<number> => {
      const filters = new ShardFilters();
      const context = { ...memoryContext(MAPPING, small, () => false, own), filters };
      for (let i = 0; i < 2; i++) await runQuery(context, { query, track_total_hits: true });
      return filters.kept;
    };
    expect(await kept({ wildcard: { tag: '*2' } })).toBe(3);
    expect(await kept({ range: { n: { gte: 3, lt: 44 } } })).toBe(0);
  });

  test('of a pattern need no automaton any more, but what a regular expression may take is checked as before', async () => {
    const filters = new ShardFilters();
    const own = createSegmentMemory({ bytesMax: 2 ** 27 });
    const context = { ...memoryContext(MAPPING, groups.slice(0, 1), () => false, own), filters };
    const wildcard = { query: { wildcard: { tag: '*2*' } }, track_total_hits: true };
    const regexp = (max: number) => ({
      query: { regexp: { tag: { value: 't[1-4](abc|bcd|cde|def){0,5}[0-9]?', max_determinized_states: max } } },
      track_total_hits: true,
    });
    const first = [await runQuery(context, wildcard), await runQuery(context, regexp(1_000))];
    for (let i = 0; i < 3; i++) {
      expect([await runQuery(context, wildcard), await runQuery(context, regexp(1_000))]).toEqual(first);
    }
    expect(filters).toMatchObject({ kept: 2, hits: 4 });
    await expect(runQuery(context, regexp(1))).rejects.toMatchObject({ status: 400 });
  });

  test('make room for others when there is no more', async () => {
    const small = createSegmentMemory({ bytesMax: 2 ** 21 * 16 });
    const filters = new ShardFilters();
    const context = { ...memoryContext(MAPPING, groups.slice(0, 1), () => false, small), filters };
    for (let to = 1; to <= 1_200; to++) {
      const body = { size: 0, query: { range: { n: { gte: 0.5, lt: to } } } };
      for (let i = 0; i < 2; i++) await runQuery(context, body, { topN: 0 });
    }
    expect(filters.evictions).toBeGreaterThan(0);
    expect(small.filters.usedBytes).toBeLessThanOrEqual(small.filters.bytesMax);
    expect(filters.kept).toBe(filters.added - filters.evictions);
  });

  test('have keys that tell different filters apart', () => {
    expect(filterKey('terms', 'a', ['b', 'c'])).not.toBe(filterKey('terms', 'a', ['b","c']));
    expect(filterKey('terms', 'a', ['x'.repeat(500)])).not.toBe(filterKey('terms', 'a', ['x'.repeat(501)]));
    expect(filterKey('terms', 'a', ['x'.repeat(5_000)])?.length).toBeLessThan(128);
  });
});

/** `top_hits` over several shards, against the documents sorted one by one. */
import {
  BucketBudget,
  finishAggregations,
  parseAggregations,
  readPartials,
  renderAggregations,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, writeJsonText } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryContext, runQuery, shardSearch } from '../../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    k: { type: 'keyword' },
    n: { type: 'long' },
    s: { type: 'keyword' },
    t: { type: 'text' },
    c: { type: 'nested', properties: { n: { type: 'long' } } },
  },
};

interface Doc {
  readonly id: string;
  readonly source: object;
}

interface Hits {
  readonly total: unknown;
  readonly max_score: number | null;
  readonly hits: readonly { readonly _id: string; readonly [name: string]: unknown }[];
}

interface Shown {
  readonly hits: Hits;
  readonly buckets: readonly { readonly key: string; readonly top: Shown }[];
  readonly [name: string]: Shown | unknown;
}

/** @param shards of segments of documents */
async function answer(shards: readonly (readonly Doc[])[][], aggs: object, body: object = {}, plain = false) {
  const partials = await Promise.all(
    shards.map(async (segments) => {
      const written = segments.map((docs) => docs.map(({ id, source }) => ({ id, source: JSON.stringify(source) })));
      const search = shardSearch({ size: 0, aggs, ...body });
      const request = { ...search.request, showsPlainTotals: plain };
      const { aggregations } = await runQuery(memoryContext(MAPPING, written), body, {
        search: { ...search, request },
        topN: 0,
      });
      return aggregations === null ? [] : readPartials(aggregations);
    }),
  );
  const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
  const finished = finishAggregations(tree, partials, new BucketBudget(10_000));
  const shown: Record<string, Shown> = JSON.parse(
    writeJsonText(renderAggregations(tree, finished, { typedKeys: false })),
  );
  return shown;
}

const source = fc.record(
  {
    k: fc.constantFrom('x', 'y'),
    n: fc.integer({ min: -3, max: 3 }),
    s: fc.constantFrom('a', 'ä', 'b', '\u{1f600}', '\uffee'),
  },
  { requiredKeys: ['k'] },
);
const world = fc.array(fc.array(fc.array(source, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 2 }), {
  minLength: 1,
  maxLength: 3,
});

describe('top_hits', () => {
  test('has the first documents of each bucket in order, whatever shard they are on', async () => {
    const orders = fc.tuple(fc.constantFrom('asc', 'desc'), fc.constantFrom('asc', 'desc'));
    const pages = fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 5 }));
    await fc.assert(
      fc.asyncProperty(world, orders, pages, async (sources, [byN, byS], [from, size]) => {
        const shards = sources.map((segments, shard) =>
          segments.map((docs, segment) => docs.map((one, i) => ({ id: `${shard}-${segment}-${i}`, source: one }))),
        );
        const sort = [{ s: byS }, { n: byN }];
        const top = { top_hits: { sort, from, size, _source: false } };
        const { keys } = await answer(shards, { keys: { terms: { field: 'k' }, aggs: { top } } });
        const all = shards.flat(2);
        const utf8 = (text: string) => Buffer.from(text, 'utf8');
        const compareS = (a?: string, b?: string) => {
          if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
          const c = Buffer.compare(utf8(a), utf8(b));
          return byS === 'asc' ? c : -c;
        };
        const nOf = (doc: (typeof all)[number]) => doc.source.n ?? (byN === 'asc' ? 1e9 : -1e9);
        const compareN = (a: number, b: number) => (byN === 'asc' ? a - b : b - a);
        for (const { key, top: found } of keys?.buckets ?? []) {
          const wanted = all
            .filter((doc) => doc.source.k === key)
            .sort((a, b) => compareS(a.source.s, b.source.s) || compareN(nOf(a), nOf(b)));
          expect(found.hits.total).toEqual({ value: wanted.length, relation: 'eq' });
          expect(found.hits.max_score).toBeNull();
          expect(found.hits.hits.map(({ _id }) => _id)).toEqual(wanted.slice(from, from + size).map(({ id }) => id));
        }
      }),
      { numRuns: 40 },
    );
  });

  const DOCS = [
    { id: '1', source: { t: 'red', c: [{ n: 3 }, { n: 9 }] } },
    { id: '2', source: { t: 'red red', c: [{ n: 1 }] } },
    { id: '3', source: { t: 'blue' } },
  ];

  test('goes by score, three of them, with a plain total where it is asked for', async () => {
    const { top, all } = await answer(
      [[DOCS]],
      { top: { top_hits: {} }, all: { global: {}, aggs: { every: { top_hits: { size: 1 } } } } },
      { query: { match: { t: 'red' } } },
      true,
    );
    expect(top?.hits.hits.map(({ _id }) => _id)).toEqual(['2', '1']);
    expect(top?.hits.total).toBe(2);
    expect(top?.hits.max_score).toBe(top?.hits.hits[0]?._score);
    expect(top?.hits.hits[0]).toEqual({
      _index: 'test',
      _id: '2',
      _score: expect.any(Number),
      _source: DOCS[1]?.source,
    });
    expect(all?.every).toMatchObject({ hits: { total: 3, max_score: 1, hits: [{ _id: '1' }] } });
  });

  test('shows nested objects as such, with the score of their document', async () => {
    const top = { top_hits: { sort: [{ 'c.n': 'desc' }], track_scores: true, version: true, size: 2 } };
    const body = { query: { match: { t: { query: 'red', _name: 'r' } } } };
    const { items } = await answer([[DOCS]], { items: { nested: { path: 'c' }, aggs: { top } } }, body);
    const { hits } = (items as { readonly top?: Shown } | undefined)?.top?.hits ?? {};
    expect(hits).toEqual([
      {
        _index: 'test',
        _id: '1',
        _nested: { field: 'c', offset: 1 },
        _version: 1,
        _score: expect.any(Number),
        _source: { n: 9 },
        sort: [9],
      },
      {
        _index: 'test',
        _id: '1',
        _nested: { field: 'c', offset: 0 },
        _version: 1,
        _score: hits?.[0]?._score,
        _source: { n: 3 },
        sort: [3],
      },
    ]);
    expect(hits?.[0]?._score).toBeGreaterThan(0);
  });

  test('shows inner hits and named queries with its documents', async () => {
    const nested = { path: 'c', query: { range: { 'c.n': { gt: 2, _name: 'big' } } }, inner_hits: {}, _name: 'n' };
    const { top } = await answer([[DOCS]], { top: { top_hits: { _source: 't' } } }, { query: { nested } });
    expect(top?.hits.hits).toMatchObject([
      { _id: '1', _source: { t: 'red' }, matched_queries: ['n'], inner_hits: { c: { hits: { total: { value: 2 } } } } },
    ]);
  });

  test('shows what scripts make of its documents', async () => {
    const script = { source: "doc['n'].value * params.by", params: { by: 2 } };
    const t = { top_hits: { sort: [{ n: 'desc' }], size: 1, script_fields: { twice: { script } } } };
    const docs = [3, 4].map((n) => ({ id: String(n), source: { n } }));
    const { t: shown } = await answer([[docs]], { t });
    expect(shown?.hits.hits).toMatchObject([{ _id: '4', fields: { twice: [8] } }]);
  });

  test.each([
    ['too large a page', { top_hits: { size: 101 } }, "top hits aggregator [t]'s from + size must be less than"],
    ['an unknown member', { top_hits: { foo: 1 } }, 'Unknown key for a VALUE_NUMBER in [foo].'],
    ['a negative size', { top_hits: { size: -1 } }, '[size] must be greater than or equal to 0. Found [-1] in [t]'],
    ['a field that is not there', { top_hits: { sort: 'zz' } }, 'No mapping found for [zz] in order to sort on'],
    ['aggregations inside', { top_hits: {}, aggs: { x: { max: { field: 'n' } } } }, 'cannot accept sub-aggregations'],
    ['buckets in its order', { terms: { field: 'k', order: { a: 'asc' } }, aggs: { a: { top_hits: {} } } }, '[a]'],
  ])('is refused with %s', async (_, t, message) => {
    await expect(answer([[DOCS]], { t })).rejects.toThrow(message);
  });
});

import {
  BucketBudget,
  finishAggregations,
  type PartialNode,
  parseAggregations,
  readPartials,
  renderAggregations,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, writeJsonText } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryContext, runQuery } from '../../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    s: { type: 'long' },
    m: { type: 'double' },
    n: { type: 'integer' },
    d: { type: 'date' },
    kw: { type: 'keyword' },
    ip: { type: 'ip' },
    b: { type: 'boolean' },
    text: { type: 'text' },
  },
};

type Doc = Readonly<Record<string, unknown>>;

/** Asks shards of one segment a list of documents each; `shards[shard][segment]`. */
async function answer(shards: readonly (readonly (readonly Doc[])[])[], aggs: unknown): Promise<Record<string, never>> {
  const partials: (readonly PartialNode[])[] = [];
  for (const segments of shards) {
    const stored = segments.map((docs, s) => docs.map((doc, i) => ({ id: `${s}-${i}`, source: JSON.stringify(doc) })));
    const { aggregations } = await runQuery(memoryContext(MAPPING, stored), { size: 0, aggs }, { topN: 0 });
    partials.push(readPartials(aggregations ?? new Uint8Array(0)));
  }
  const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
  const finished = finishAggregations(tree, partials, new BucketBudget(10_000));
  return JSON.parse(writeJsonText(renderAggregations(tree, finished, { typedKeys: false })));
}

const top = (options: object): object => ({
  t: { top_metrics: { sort: { s: 'desc' }, metrics: { field: 'm' }, ...options } },
});

describe('top_metrics by score', () => {
  const docs = ['fox', 'fox fox fox', 'dog'].map((text, i) => ({ text, m: i }));
  const metrics = async (sort: unknown): Promise<unknown> => {
    const stored = [docs.map((doc, i) => ({ id: String(i), source: JSON.stringify(doc) }))];
    const query = { bool: { must: { match_all: {} }, should: { match: { text: 'fox' } } } };
    const aggs = top({ sort, size: 3 });
    const { aggregations } = await runQuery(memoryContext(MAPPING, stored), { size: 0, query, aggs }, { topN: 0 });
    const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
    const partials = [readPartials(aggregations ?? new Uint8Array(0))];
    const finished = finishAggregations(tree, partials, new BucketBudget(10_000));
    return JSON.parse(writeJsonText(renderAggregations(tree, finished, { typedKeys: false }))).t.top;
  };

  test('has what matches best first, and shows how well', async () => {
    const best = (await metrics('_score')) as { sort: number[]; metrics: { m: number } }[];
    expect(best.map((row) => row.metrics.m)).toEqual([1, 0, 2]);
    expect(best[2]?.sort).toEqual([1]);
    expect(best[0]?.sort[0]).toBeGreaterThan(best[1]?.sort[0] as number);
    expect(await metrics({ _score: { order: 'desc' } })).toEqual(best);
    expect(await metrics({ _score: 'asc' })).toEqual([...best].reverse());
  });
});

describe('top_metrics over shards', () => {
  const shards = [
    [
      [
        { s: 1, m: 3.5 },
        { s: 2, m: 1 },
      ],
      [{ s: 3, m: 2.5 }],
    ],
    [[{ s: 3, m: 9 }, { m: 8 }]],
  ];

  test('gives the metric of the document that is first', async () => {
    expect(await answer(shards, top({}))).toEqual({ t: { top: [{ sort: [3], metrics: { m: 2.5 } }] } });
  });

  test('gives several, of equal ones those of the earlier shard and document first', async () => {
    expect(await answer(shards, top({ size: 3 }))).toEqual({
      t: {
        top: [
          { sort: [3], metrics: { m: 2.5 } },
          { sort: [3], metrics: { m: 9 } },
          { sort: [2], metrics: { m: 1 } },
        ],
      },
    });
  });

  test('has documents without a sort value last, or first, or at a value', async () => {
    const metricsOf = async (sort: object): Promise<unknown[]> => {
      const { t } = (await answer(shards, top({ size: 10, sort: { s: sort } }))) as never as {
        t: { top: { metrics: { m: number } }[] };
      };
      return t.top.map(({ metrics }) => metrics.m);
    };
    expect(await metricsOf({ order: 'asc' })).toEqual([3.5, 1, 2.5, 9, 8]);
    expect(await metricsOf({ order: 'desc', missing: '_first' })).toEqual([8, 2.5, 9, 1, 3.5]);
    expect(await metricsOf({ order: 'asc', missing: 2 })).toEqual([3.5, 1, 8, 2.5, 9]);
  });

  test('shows each type as its field does, and null where there is no value', async () => {
    const doc = { s: 5, n: 4, d: '2020-01-01T00:00:00.000Z', kw: ['b', 'a'], ip: '10.0.0.1', b: true };
    const metrics = ['n', 'd', 'kw', 'ip', 'b', 'm', 'nope'].map((field) => ({ field }));
    expect(await answer([[[doc]]], top({ metrics, sort: [{ d: { order: 'asc' } }] }))).toEqual({
      t: {
        top: [
          {
            sort: ['2020-01-01T00:00:00.000Z'],
            metrics: { n: 4, d: '2020-01-01T00:00:00.000Z', kw: 'a', ip: '10.0.0.1', b: true, m: null, nope: null },
          },
        ],
      },
    });
  });

  test('is exact for numbers beyond 2^53', async () => {
    const context = memoryContext(MAPPING, [
      [
        { id: 'a', source: '{"s":9007199254740993}' },
        { id: 'b', source: '{"s":9007199254740992}' },
      ],
    ]);
    const aggs = top({ metrics: { field: 's' } });
    const { aggregations } = await runQuery(context, { size: 0, aggs }, { topN: 0 });
    expect(readPartials(aggregations ?? new Uint8Array(0))).toMatchObject([
      { rows: [{ sort: 9007199254740993n, metrics: [9007199254740993n] }] },
    ]);
  });

  test('takes part in the order of terms and in pipelines', async () => {
    const docs = [
      { kw: 'a', s: 1, m: 5 },
      { kw: 'b', s: 1, m: 1 },
      { kw: 'a', s: 2, m: 2 },
      { kw: 'b', s: 2, m: 9 },
    ];
    const aggs = {
      k: { terms: { field: 'kw', order: { 't.m': 'desc' } }, aggs: top({}) },
      best: { max_bucket: { buckets_path: 'k>t[m]' } },
    };
    expect(await answer([[docs.slice(0, 2), docs.slice(2)]], aggs)).toMatchObject({
      k: {
        buckets: [
          { key: 'b', t: { top: [{ sort: [2], metrics: { m: 9 } }] } },
          { key: 'a', t: { top: [{ sort: [2], metrics: { m: 2 } }] } },
        ],
      },
      best: { value: 9, keys: ['b'] },
    });
  });

  test.each([
    ['a sort by texts', { sort: { kw: 'asc' } }, 'only supported on numeric fields'],
    ['a sort by no field', { sort: { nope: 'asc' } }, 'No mapping found for [nope] in order to sort on'],
    ['metrics of text fields', { metrics: { field: 'text' } }, 'Text fields are not optimised'],
    ['a missing value that is no number', { sort: { s: { missing: 'x' } } }, 'For input string: "x"'],
  ])('refuses %s', async (_, options, message) => {
    await expect(answer([[[{ s: 1 }]]], top(options))).rejects.toThrow(message);
  });

  test('finds what a sort of all documents finds, by bucket', async () => {
    const doc = fc.record({ s: fc.array(fc.nat(5), { maxLength: 2 }), m: fc.nat(100), kw: fc.constantFrom('a', 'b') });
    const shard = fc.array(fc.array(doc, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 2 });
    const asked = fc.tuple(
      fc.array(shard, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(asked, async ([shapes, isAscending, size]) => {
        const sort = { s: { order: isAscending ? 'asc' : 'desc' } };
        const aggs = { k: { terms: { field: 'kw' }, aggs: top({ size, sort }) } };
        const { k } = (await answer(shapes, aggs)) as never as {
          k: { buckets: { key: string; t: { top: { metrics: { m: number } }[] } }[] };
        };
        const sign = isAscending ? 1 : -1;
        const keyOf = ({ s }: { s: readonly number[] }): number =>
          s.length === 0 ? Number.POSITIVE_INFINITY : sign * (isAscending ? Math.min(...s) : Math.max(...s));
        for (const { key, t } of k.buckets) {
          const mine = shapes.flat(2).filter(({ kw }) => kw === key);
          const expected = mine.map((one) => ({ m: one.m, key: keyOf(one) })).sort((a, b) => a.key - b.key || 0);
          expect(t.top.map(({ metrics }) => metrics.m)).toEqual(expected.slice(0, size).map(({ m }) => m));
        }
      }),
      { numRuns: 40 },
    );
  });
});

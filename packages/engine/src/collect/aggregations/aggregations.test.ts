import {
  BucketBudget,
  type FinishedLevel,
  finishAggregations,
  type PartialNode,
  type PartialResult,
  parseAggregations,
  readPartials,
  reduceAggregations,
  renderAggregations,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, writeJsonText } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { QueryContext } from '../../phases/context/query-context.ts';
import { guestWith, runDivided } from '../../phases/query/divided-search.test-support.ts';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';
import { MAPPING, naive, type PlainDoc, type Request } from './naive-aggregations.test-support.ts';

const encoder = new TextEncoder();
const MANY = 1_000_000;

function one<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | readonly T[] | undefined> {
  return fc.oneof(
    { weight: 4, arbitrary: value },
    { weight: 1, arbitrary: fc.array(value, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}

const word = fc.constantFrom('a', 'b', 'c', 'ä', '\u{1f600}', 'bb', '');
const whole = fc.integer({ min: -20, max: 20 });
const fraction = fc.integer({ min: -40, max: 40 }).map((n) => n / 4);
const sparse = fc.record({
  kw: one(word),
  n: one(whole),
  x: one(fraction),
  d: one(fc.integer({ min: 0, max: 50 }).map((n) => n * 3_600_000)),
  b: fc.option(fc.boolean(), { nil: undefined }),
});
/** Every document has one value of everything: collectors take whole stretches of such segments. */
const dense = fc.record({ kw: word, n: whole, x: fraction, d: fc.nat(50).map((n) => n * 3_600_000), b: fc.boolean() });
const docsArbitrary = fc.oneof(fc.array(sparse, { maxLength: 30 }), fc.array(dense, { maxLength: 30 }));

const anyField = fc.constantFrom('kw', 'n', 'x', 'd', 'b');
const query = fc.oneof(
  fc.constant({ match_all: {} }),
  word.map((kw) => ({ term: { kw } })),
  fc.boolean().map((b) => ({ term: { b } })),
  whole.map((n) => ({ range: { n: { gte: n, lt: n + 10 } } })),
);

function missingOf(field: string): fc.Arbitrary<Record<string, unknown>> {
  const value = field === 'kw' ? 'zz' : field === 'b' ? true : 7;
  return fc.constantFrom({}, { missing: value });
}

const metric = fc
  .constantFrom('min', 'max', 'sum', 'avg', 'stats', 'value_count', 'cardinality')
  .chain((type) =>
    (type === 'value_count' || type === 'cardinality' ? anyField : fc.constantFrom('n', 'x')).chain((field) =>
      missingOf(field).map((missing) => ({ [type]: { field, ...missing } })),
    ),
  );

const ORDERS = [
  undefined,
  [{ _key: 'asc' }],
  [{ _key: 'desc' }],
  [{ _count: 'asc' }],
  [{ m: 'desc' }],
  [{ 'm2.avg': 'asc' }, { _key: 'desc' }],
];

const terms = anyField.chain((field) =>
  fc
    .record({ missing: missingOf(field), order: fc.constantFrom(...ORDERS), size: fc.constantFrom(1, 3, 50) })
    .map(({ missing, order, size }) => ({
      // More than all: that shards leave nothing out is a matter of other tests.
      terms: { field, ...missing, size, shard_size: 1_000, ...(order && { order }) },
    })),
);
const histogram = fc.constantFrom('n', 'x').chain((field) =>
  fc
    .record({
      missing: missingOf(field),
      interval: fc.constantFrom(0.5, 1, 3, 10),
      offset: fc.constantFrom(0, 1.25),
      min_doc_count: fc.constantFrom(0, 1, 2),
    })
    .map(({ missing, ...options }) => ({ histogram: { field, ...missing, ...options } })),
);
const range = fc.constantFrom('n', 'x').map((field) => ({
  range: {
    field,
    ranges: [
      { key: 'low', to: 0 },
      { key: 'mid', from: -5, to: 5 },
      { key: 'high', from: 5 },
    ],
  },
}));
const bucketing = fc.oneof(
  { weight: 4, arbitrary: terms as fc.Arbitrary<Record<string, unknown>> },
  { weight: 2, arbitrary: histogram },
  { weight: 1, arbitrary: range },
  { weight: 1, arbitrary: query.map((filter) => ({ filter })) },
  { weight: 1, arbitrary: anyField.map((field) => ({ missing: { field } })) },
  {
    weight: 1,
    arbitrary: fc.tuple(query, query, fc.boolean()).map(([y, x, other_bucket]) => ({
      filters: { filters: { y, x }, other_bucket },
    })),
  },
);
const bucketLevel = (inner: fc.Arbitrary<Request>): fc.Arbitrary<Request> =>
  fc.tuple(bucketing, inner).map(([own, aggs]) => ({
    // What orders by metric refer to.
    buckets: { ...own, aggs: { m: { max: { field: 'n' } }, m2: { stats: { field: 'x' } }, ...aggs } },
  }));
const leaf = metric.map((m): Request => ({ metric: m }));
const deep = fc.oneof(
  leaf,
  bucketLevel(leaf),
  bucketLevel(bucketLevel(leaf)),
  bucketLevel(bucketLevel(bucketLevel(leaf))),
);
const request: fc.Arbitrary<Request> = fc.oneof(
  { weight: 6, arbitrary: deep },
  { weight: 1, arbitrary: deep.map((aggs) => ({ everything: { global: {}, aggs } })) },
);

interface Placed {
  readonly doc: PlainDoc;
  readonly shard: number;
  readonly segment: number;
  readonly isDeleted: boolean;
}

const placed = docsArbitrary.chain((docs) =>
  fc.tuple(
    ...docs.map((doc) =>
      fc.record({
        doc: fc.constant(doc as PlainDoc),
        shard: fc.nat(2),
        segment: fc.nat(2),
        isDeleted: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      }),
    ),
  ),
);

/** @param threads 0: one whose searches are never divided; 1: one alone */
async function shardPartials(
  docs: readonly Placed[],
  shard: number,
  body: unknown,
  threads: number,
): Promise<readonly PartialNode[]> {
  const mine = docs.map((one, i) => ({ ...one, id: String(i) })).filter((one) => one.shard === shard);
  const segments = [0, 1, 2]
    .map((segment) => mine.filter((one) => one.segment === segment))
    .filter((list) => list.length > 0)
    .map((list) => list.map(({ id, doc }) => ({ id, source: JSON.stringify(doc) })));
  const context = (): QueryContext => memoryContext(MAPPING, segments, (id) => docs[Number(id)]?.isDeleted === true);
  const guests = threads === 0 ? null : Array.from({ length: threads - 1 }, () => guestWith(context()));
  const { outcome } = await runDivided(context(), guests, body, { topN: 0 });
  return readPartials(outcome.aggregations ?? new Uint8Array(0));
}

function treeOf(aggs: unknown): ReturnType<typeof parseAggregations> {
  return parseAggregations(parseJsonTree(encoder.encode(JSON.stringify(aggs))) as JsonObjectNode);
}

function close(actual: unknown, expected: unknown, path = ''): void {
  if (typeof actual === 'number' && typeof expected === 'number') {
    const scale = Math.max(1, Math.abs(expected));
    if (Math.abs(actual - expected) > 1e-9 * scale) expect(actual, path).toBe(expected);
    return;
  }
  if (typeof actual !== 'object' || typeof expected !== 'object' || actual === null || expected === null) {
    expect(actual, path).toBe(expected);
    return;
  }
  expect(Object.keys(actual).sort(), path).toEqual(Object.keys(expected).sort());
  for (const [name, value] of Object.entries(expected)) {
    close((actual as Record<string, unknown>)[name], value, `${path}.${name}`);
  }
}

/** Shards merged in any grouping on the way to the final reduce. */
function reduceInGroups(
  tree: ReturnType<typeof parseAggregations>,
  shards: readonly (readonly PartialNode[])[],
  grouping: number,
): FinishedLevel {
  const buckets = new BucketBudget(MANY);
  const [a, b, c] = shards as [PartialNode[], PartialNode[], PartialNode[]];
  const part = (list: readonly (readonly PartialNode[])[]) =>
    reduceAggregations(tree.aggregations, list, { isFinal: false, buckets });
  const groups = [shards, [part([a, b]), c], [a, part([b, c])], [part([part([a]), part([b, c])])], [part([c, a]), b]];
  return finishAggregations(tree, groups[grouping] ?? shards, buckets);
}

describe('aggregations over shards, segments, deleted documents and threads', () => {
  test('equal a computation document by document', async () => {
    await fc.assert(
      fc.asyncProperty(placed, request, query, fc.nat(4), fc.nat(3), async (docs, aggs, filter, grouping, threads) => {
        const body = { size: 0, query: filter, aggs };
        const shards = [];
        for (const shard of [0, 1, 2]) shards.push(await shardPartials(docs, shard, body, threads));
        const tree = treeOf(aggs);
        const reduced = reduceInGroups(tree, shards, grouping);
        const rendered = JSON.parse(writeJsonText(renderAggregations(tree, reduced, { typedKeys: false })));
        const all = docs.filter(({ isDeleted }) => !isDeleted).map(({ doc }) => doc);
        const matching = naive({ f: { filter, aggs: {} } }, all, all);
        const { doc_count: _, ...expected } = naive({ f: { filter, aggs } }, all, all).f as Record<string, unknown>;
        expect(matching).toBeDefined();
        close(rendered, JSON.parse(JSON.stringify(expected)));
      }),
      { numRuns: 300 },
    );
  });
});

describe('terms that are chosen', () => {
  const words = ['ab', 'abc', 'b', 'bc', 'cab'];
  const context = memoryContext(MAPPING, [
    words.map((kw, i) => ({ id: String(i), source: JSON.stringify({ kw, n: i }) })),
    words.slice(2).map((kw, i) => ({ id: `x${i}`, source: `{"kw":"${kw}","n":${2n ** 53n + 1n + BigInt(i)}}` })),
  ]);

  async function keysOf(aggs: Request): Promise<unknown[]> {
    const { aggregations } = await runQuery(context, { size: 0, aggs }, { topN: 0 });
    const [partial] = readPartials(aggregations ?? new Uint8Array(0));
    return (partial as Extract<PartialResult, { kind: 'terms' }>).buckets.map(({ key }) => key).sort();
  }

  test('by a pattern, by their values, by parts', async () => {
    const below = { aggs: { m: { max: { field: 'x' } } } };
    for (const more of [{}, below]) {
      const chosen = (choice: object) => keysOf({ t: { terms: { field: 'kw', ...choice }, ...more } });
      expect(await chosen({ include: 'ab.*', exclude: 'abc' })).toEqual(['ab']);
      expect(await chosen({ include: ['b', 'nothing', 'cab'] })).toEqual(['b', 'cab']);
      expect(await chosen({ exclude: ['b', 'cab'] })).toEqual(['ab', 'abc', 'bc']);
      const parts = [];
      for (const partition of [0, 1, 2]) parts.push(...(await chosen({ include: { partition, num_partitions: 3 } })));
      expect(parts.sort()).toEqual(words);
    }
    await expect(keysOf({ t: { terms: { field: 'kw', include: '[' } } })).rejects.toThrow();
  });

  test('numbers are chosen by value, and kept exactly beyond 2^53', async () => {
    expect(await keysOf({ t: { terms: { field: 'n', include: [1, 3, 99] } } })).toEqual([1, 3]);
    const parts = [];
    for (const partition of [0, 1]) {
      parts.push(...(await keysOf({ t: { terms: { field: 'n', include: { partition, num_partitions: 2 } } } })));
    }
    expect(new Set(parts.map(String))).toEqual(
      new Set(['0', '1', '2', '3', '4', '9007199254740993', '9007199254740994', '9007199254740995']),
    );
  });
});

test('memory that buckets take has a limit', async () => {
  // Values of twenty magnitudes, so that every sketch has counts in twenty places.
  const x = Array.from({ length: 20 }, (_, i) => 8 ** i);
  const docs = Array.from({ length: 14_000 }, (_, n) => ({ id: String(n), source: JSON.stringify({ n, x }) }));
  const percentiles = { percentiles: { field: 'x', hdr: { number_of_significant_value_digits: 5 } } };
  const aggs = { t: { terms: { field: 'n' }, aggs: { percentiles } } };
  await expect(runQuery(memoryContext(MAPPING, [docs]), { size: 0, aggs }, { topN: 0 })).rejects.toThrow(
    'Data too large',
  );
});

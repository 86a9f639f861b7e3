/** A document with `_doc_count` counts in buckets as so many documents, and in metrics as one. */
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
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { memoryContext, runQuery, type TestDoc } from '../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    k: { type: 'keyword' },
    n: { type: 'long' },
    d: { type: 'double' },
    w: { type: 'long' },
    t: { type: 'date' },
    ip: { type: 'ip' },
  },
};

async function answer(segments: readonly (readonly TestDoc[])[], aggs: unknown, hasKernels: boolean): Promise<unknown> {
  const whole = segments.filter((list) => list.length > 0);
  const memory = hasKernels ? createSegmentMemory({ bytesMax: 2 ** 28 }) : undefined;
  const { aggregations } = await runQuery(
    memoryContext(MAPPING, whole, undefined, memory),
    { size: 0, aggs },
    { topN: 0 },
  );
  const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
  const shards = aggregations === null ? [] : [readPartials(aggregations)];
  const finished = finishAggregations(tree, shards, new BucketBudget(10_000));
  return JSON.parse(writeJsonText(renderAggregations(tree, finished, { typedKeys: false })));
}

interface Counted {
  readonly source: Readonly<Record<string, unknown>>;
  /** null: not said. */
  readonly count: number | null;
}

const some = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<readonly T[]> => fc.array(value, { maxLength: 2 });
const counted: fc.Arbitrary<Counted> = fc.record({
  source: fc.record({
    k: some(fc.constantFrom('a', 'b', 'c', 'd')),
    n: some(fc.integer({ min: 0, max: 9 })),
    d: some(fc.integer({ min: 0, max: 40 }).map((value) => value / 8)),
    w: some(fc.constantFrom('9007199254740993', '9007199254740995').map((text) => text)),
    t: some(fc.constantFrom('2024-01-01', '2024-01-02', '2024-02-01')),
    ip: some(fc.constantFrom('10.0.0.1', '10.0.1.1', '::1')),
  }),
  count: fc.option(fc.integer({ min: 1, max: 4 }), { nil: null }),
});

const KINDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  terms: { terms: { field: 'k', size: 2 } },
  chosen: { terms: { field: 'k', include: ['b', 'c'], min_doc_count: 0 } },
  missing: { terms: { field: 'k', missing: 'none' } },
  numbers: { terms: { field: 'n' } },
  doubles: { terms: { field: 'd', include: [0.5, 1] } },
  wide: { terms: { field: 'w' } },
  addresses: { terms: { field: 'ip' } },
  rare: { rare_terms: { field: 'n', max_doc_count: 3 } },
  histogram: { histogram: { field: 'd', interval: 1.5 } },
  whole: { histogram: { field: 'n', interval: 3, missing: 4 } },
  dates: { date_histogram: { field: 't', calendar_interval: 'month' } },
  days: { date_histogram: { field: 't', fixed_interval: '12h', min_doc_count: 1 } },
  range: { range: { field: 'd', ranges: [{ to: 2 }, { from: 1, to: 4 }, { from: 3 }] } },
  dateRange: { date_range: { field: 't', ranges: [{ to: '2024-01-15' }, { from: '2024-01-15' }] } },
  ipRange: { ip_range: { field: 'ip', ranges: [{ mask: '10.0.0.0/24' }, { from: '10.0.1.0' }] } },
  filter: { filter: { term: { k: 'a' } } },
  filters: {
    filters: { filters: { a: { term: { k: 'a' } }, n: { range: { n: { gte: 5 } } } }, other_bucket_key: 'o' },
  },
  absent: { missing: { field: 'k' } },
  global: { global: {} },
  adjacency: { adjacency_matrix: { filters: { a: { term: { k: 'a' } }, b: { term: { k: 'b' } } } } },
  composite: {
    composite: {
      size: 5,
      sources: [{ k: { terms: { field: 'k' } } }, { n: { histogram: { field: 'n', interval: 4 } } }],
    },
  },
  pairs: {
    composite: { sources: [{ d: { terms: { field: 'd', missing_bucket: true } } }, { w: { terms: { field: 'w' } } }] },
  },
};

const jsonOf = ({ source, count }: Counted, isCounted: boolean): string =>
  JSON.stringify({ ...source, w: undefined, ...(isCounted && count !== null ? { _doc_count: count } : {}) }).replace(
    /\}$/,
    `,"w":[${(source.w as readonly string[]).join()}]}`,
  );

describe.each([true, false])('buckets count a document as often as it says (kernels: %s)', (hasKernels) => {
  test.each(Object.keys(KINDS))('%s', async (kind) => {
    const bucket = KINDS[kind] ?? {};
    const isTopOnly = kind === 'global';
    const aggs = {
      top: bucket,
      ...(isTopOnly
        ? {}
        : { below: { terms: { field: 'n' }, ...(bucket.composite ? {} : { aggs: { inner: bucket } }) } }),
      above: { ...bucket, aggs: { k: { terms: { field: 'k' } } } },
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(counted, { maxLength: 12 }), { minLength: 1, maxLength: 3 }),
        async (lists) => {
          const asTold = lists.map((list, s) => list.map((doc, i) => ({ id: `${s}-${i}`, source: jsonOf(doc, true) })));
          const repeated = lists.map((list, s) =>
            list.flatMap((doc, i) =>
              Array.from({ length: doc.count ?? 1 }, (_, n) => ({ id: `${s}-${i}-${n}`, source: jsonOf(doc, false) })),
            ),
          );
          if (lists.every((list) => list.length === 0)) return;
          expect(await answer(asTold, aggs, hasKernels)).toEqual(await answer(repeated, aggs, hasKernels));
        },
      ),
      { numRuns: 8 },
    );
  });
});

test('counts go beyond 2^32, and metrics count each document once', async () => {
  const docs = Array.from({ length: 5 }, (_, i) => ({
    id: `${i}`,
    source: JSON.stringify({ k: 'a', n: 3, _doc_count: 2 ** 31 - 1 }),
  }));
  const aggs = {
    k: { terms: { field: 'k' }, aggs: { n: { value_count: { field: 'n' } }, s: { sum: { field: 'n' } } } },
    f: { terms: { field: 'k' } },
  };
  expect(await answer([docs], aggs, true)).toMatchObject({
    k: { buckets: [{ key: 'a', doc_count: 5 * (2 ** 31 - 1), n: { value: 5 }, s: { value: 15 } }] },
    f: { buckets: [{ key: 'a', doc_count: 5 * (2 ** 31 - 1) }] },
  });
});

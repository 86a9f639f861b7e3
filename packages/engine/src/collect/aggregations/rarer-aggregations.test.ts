/** Aggregations that few ask for, against the plainest computation. */
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
import { expect, test } from 'vitest';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';

interface Doc {
  readonly v: readonly number[];
  readonly w?: number;
  readonly ip?: readonly number[];
  readonly tags: readonly string[];
}

const MAPPING = {
  properties: { v: { type: 'double' }, w: { type: 'integer' }, ip: { type: 'ip' }, tags: { type: 'keyword' } },
};
const octets = fc.tuple(fc.constant(10), fc.nat(2), fc.nat(3), fc.nat(255)).map((list) => [...list]);
const doc: fc.Arbitrary<Doc> = fc.record(
  {
    v: fc.array(
      fc.integer({ min: -400, max: 400 }).map((value) => value / 8),
      { maxLength: 3 },
    ),
    w: fc.nat(5),
    ip: octets,
    tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }),
  },
  { requiredKeys: ['v', 'tags'] },
);
const addressOf = (parts: readonly number[]): string => parts.join('.');
const numberOf = (parts: readonly number[]): number => parts.reduce((sum, part) => sum * 256 + part, 0);

/** Over two shards of two segments each, some documents deleted. */
async function answer(docs: readonly Doc[], aggs: unknown): Promise<Record<string, unknown>> {
  const shards: (readonly PartialNode[])[] = [];
  for (const shard of [0, 1]) {
    const segments = [0, 1].map((segment) =>
      docs
        .map(({ ip, ...rest }, i) => ({
          id: String(i),
          source: JSON.stringify({ ...rest, ...(ip && { ip: addressOf(ip) }) }),
        }))
        .filter((_, i) => i % 2 === shard && (i >> 1) % 2 === segment),
    );
    const context = memoryContext(
      MAPPING,
      segments.filter((list) => list.length > 0),
      (id) => isDeleted(Number(id)),
    );
    const { aggregations } = await runQuery(context, { size: 0, aggs }, { topN: 0 });
    if (aggregations !== null) shards.push(readPartials(aggregations));
  }
  const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
  const finished = finishAggregations(tree, shards, new BucketBudget(10_000));
  return JSON.parse(writeJsonText(renderAggregations(tree, finished, { typedKeys: false })));
}

const isDeleted = (i: number): boolean => i % 5 === 4;
const liveOf = (docs: readonly Doc[]): readonly Doc[] => docs.filter((_, i) => !isDeleted(i));

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return null;
  const upper = sorted[middle] as number;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
}

function near(actual: number | null, expected: number | null): void {
  if (actual === null || expected === null) expect(actual).toBe(expected);
  else expect(actual).toBeCloseTo(expected, 9);
}

const docLists = fc.array(doc, { minLength: 1, maxLength: 40 });

test('a weighted average counts each value as often as its document weighs', async () => {
  await fc.assert(
    fc.asyncProperty(docLists, async (docs) => {
      const shown = await answer(docs, {
        plain: { weighted_avg: { value: { field: 'v' }, weight: { field: 'w' } } },
        filled: { weighted_avg: { value: { field: 'v', missing: 2 }, weight: { field: 'w', missing: 3 } } },
      });
      const average = (valuesOf: (one: Doc) => readonly number[], weightOf: (one: Doc) => number | undefined) => {
        let [sum, weight] = [0, 0];
        for (const one of liveOf(docs)) {
          const own = weightOf(one);
          if (own === undefined) continue;
          for (const value of valuesOf(one)) [sum, weight] = [sum + value * own, weight + own];
        }
        return weight === 0 ? null : sum / weight;
      };
      near(
        (shown.plain as { value: number | null }).value,
        average(
          ({ v }) => v,
          ({ w }) => w,
        ),
      );
      near(
        (shown.filled as { value: number | null }).value,
        average(
          ({ v }) => (v.length === 0 ? [2] : v),
          ({ w }) => w ?? 3,
        ),
      );
    }),
    { numRuns: 60 },
  );
});

test('the median absolute deviation of few values is exact', async () => {
  await fc.assert(
    fc.asyncProperty(docLists, async (docs) => {
      const shown = await answer(docs, { d: { median_absolute_deviation: { field: 'v', compression: 2000 } } });
      const values = liveOf(docs).flatMap(({ v }) => v);
      const middle = median(values);
      const expected = middle === null ? null : median(values.map((value) => Math.abs(value - middle)));
      near((shown.d as { value: number | null }).value, expected);
    }),
    { numRuns: 60 },
  );
});

test('named filters that are not keyed are a list whose buckets say their names', async () => {
  const filters = { a: { term: { tags: 'a' } }, b: { term: { tags: 'b' } } };
  const docs: Doc[] = [{ v: [], tags: ['a'] }];
  expect(await answer(docs, { f: { filters: { filters, keyed: false } } })).toEqual({
    f: {
      buckets: [
        { key: 'a', doc_count: 1 },
        { key: 'b', doc_count: 0 },
      ],
    },
  });
  expect(await answer(docs, { f: { filters: { filters: [filters.a], keyed: false } } })).toEqual({
    f: { buckets: [{ doc_count: 1 }] },
  });
});

test('an adjacency matrix has the filters, and each two of them', async () => {
  await fc.assert(
    fc.asyncProperty(docLists, async (docs) => {
      const filters = Object.fromEntries(['a', 'b', 'c'].map((tag) => [tag, { term: { tags: tag } }]));
      const aggs = { m: { adjacency_matrix: { filters }, aggs: { n: { value_count: { field: 'v' } } } } };
      const shown = await answer(docs, aggs);
      const expected = ['a', 'a&b', 'a&c', 'b', 'b&c', 'c'].flatMap((key) => {
        const inside = liveOf(docs).filter(({ tags }) => key.split('&').every((tag) => tags.includes(tag)));
        const n = { value: inside.flatMap(({ v }) => v).length };
        return inside.length === 0 ? [] : [{ key, doc_count: inside.length, n }];
      });
      expect((shown.m as { buckets: unknown }).buckets).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('ranges of addresses take those from the first up to the last, without it', async () => {
  const end = fc.option(octets, { nil: undefined });
  await fc.assert(
    fc.asyncProperty(docLists, end, end, async (docs, from, to) => {
      const range = { key: 'r', ...(from && { from: addressOf(from) }), ...(to && { to: addressOf(to) }) };
      fc.pre(from !== undefined || to !== undefined);
      const mask = { key: 'm', mask: '10.1.0.0/16' };
      const shown = await answer(docs, { i: { ip_range: { field: 'ip', keyed: true, ranges: [range, mask] } } });
      const inside = liveOf(docs).filter(({ ip }) => {
        if (ip === undefined) return false;
        const least = from === undefined || numberOf(ip) >= numberOf(from);
        return least && (to === undefined || numberOf(ip) < numberOf(to));
      });
      const masked = liveOf(docs).filter(({ ip }) => ip?.[1] === 1);
      const { buckets } = shown.i as { buckets: Record<string, { doc_count: number }> };
      expect([buckets.r?.doc_count, buckets.m?.doc_count]).toEqual([inside.length, masked.length]);
    }),
    { numRuns: 60 },
  );
});

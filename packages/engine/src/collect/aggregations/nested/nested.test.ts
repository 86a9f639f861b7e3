/** Aggregations of nested documents, against counts over the objects themselves. */
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
import { memoryContext, runQuery } from '../../../phases/query/memory-searcher.test-support.ts';

const MAPPING = {
  properties: {
    tags: { type: 'keyword' },
    n: { type: 'long' },
    items: {
      type: 'nested',
      properties: {
        color: { type: 'keyword' },
        count: { type: 'long' },
        parts: { type: 'nested', properties: { count: { type: 'long' } } },
      },
    },
  },
};

interface Item {
  readonly color?: string;
  readonly count: number;
  readonly parts: readonly { readonly count: number }[];
}

interface Source {
  readonly tags: readonly string[];
  readonly n: number;
  readonly items: readonly Item[];
}

const COLORS = ['red', 'green', 'blue'];
const TAGS = ['a', 'b', 'c'];
const item: fc.Arbitrary<Item> = fc.record(
  {
    color: fc.constantFrom(...COLORS),
    count: fc.nat(3),
    parts: fc.array(fc.record({ count: fc.nat(3) }), { maxLength: 3 }),
  },
  { requiredKeys: ['count', 'parts'] },
);
const source: fc.Arbitrary<Source> = fc.record({
  tags: fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 3 }),
  n: fc.nat(9),
  items: fc.array(item, { maxLength: 4 }),
});
const sources = fc.array(source, { minLength: 1, maxLength: 30 });

const isDeleted = (id: string): boolean => Number(id) % 5 === 4;

function contextOf(docs: readonly Source[]) {
  const all = docs.map((doc, i) => ({ id: String(i), source: JSON.stringify(doc) }));
  const segments = [all.filter((_, i) => i % 2 === 0), all.filter((_, i) => i % 2 === 1)];
  return memoryContext(
    MAPPING,
    segments.filter((list) => list.length > 0),
    isDeleted,
  );
}

async function answer(docs: readonly Source[], aggs: object, query: object = { match_all: {} }): Promise<Shown> {
  const { aggregations } = await runQuery(contextOf(docs), { size: 0, aggs, query }, { topN: 0 });
  const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
  const shards = aggregations === null ? [] : [readPartials(aggregations)];
  const finished = finishAggregations(tree, shards, new BucketBudget(10_000));
  return JSON.parse(writeJsonText(renderAggregations(tree, finished, { typedKeys: false })));
}

/** JSON of an answer. */
interface Shown {
  readonly [name: string]: Shown;
}

interface ShownBucket {
  readonly key: string;
  readonly doc_count: number;
}

function counts(shown: unknown, of: (bucket: ShownBucket) => unknown = (bucket) => bucket.doc_count): unknown {
  const { buckets } = shown as { readonly buckets: readonly ShownBucket[] };
  return Object.fromEntries(buckets.map((bucket) => [bucket.key, of(bucket)]));
}

const terms = (field: string) => ({ terms: { field, size: 100 } });
const nested = (path: string, aggs: object) => ({ nested: { path }, aggs });

describe('aggregations of nested documents', () => {
  test('page through the values of the objects', async () => {
    await fc.assert(
      fc.asyncProperty(sources, async (docs) => {
        const live = docs.filter((_, i) => !isDeleted(String(i)));
        const counted: Record<string, number> = {};
        for (const { color } of live.flatMap((doc) => doc.items)) {
          if (color !== undefined) counted[color] = (counted[color] ?? 0) + 1;
        }
        const seen: Record<string, number> = {};
        for (let after: object = {}; ; ) {
          const page = { composite: { size: 1, sources: [{ c: { terms: { field: 'items.color' } } }], ...after } };
          const { items } = await answer(docs, { items: nested('items', { page }) });
          const shown = items?.page as unknown as { buckets: { key: { c: string }; doc_count: number }[] };
          const [bucket] = shown.buckets;
          if (bucket === undefined) break;
          seen[bucket.key.c] = bucket.doc_count;
          after = { after: bucket.key };
        }
        expect(seen).toEqual(counted);
      }),
      { numRuns: 30 },
    );
  });

  test('count the objects, and the documents around them once', async () => {
    await fc.assert(
      fc.asyncProperty(sources, async (docs) => {
        const back = { back: { reverse_nested: {}, aggs: { n: { sum: { field: 'n' } } } } };
        const shown = await answer(docs, {
          items: nested('items', {
            colors: { ...terms('items.color'), aggs: back },
            bare: { missing: { field: 'items.color' } },
            parts: nested('items.parts', {
              counts: { ...terms('items.parts.count'), aggs: { around: { reverse_nested: { path: 'items' } } } },
            }),
          }),
        });
        const live = docs.filter((_, i) => !isDeleted(String(i)));
        const items = live.flatMap((doc) => doc.items);
        const withColor = (color: string) => items.filter((one) => one.color === color).length;
        const around = (color: string) => live.filter((doc) => doc.items.some((one) => one.color === color));
        const present = COLORS.filter((color) => withColor(color) > 0);
        expect(shown.items?.doc_count).toBe(items.length);
        expect(shown.items?.bare?.doc_count).toBe(items.filter((one) => one.color === undefined).length);
        expect(counts(shown.items?.colors)).toEqual(Object.fromEntries(present.map((one) => [one, withColor(one)])));
        const sums = counts(shown.items?.colors, (bucket) => {
          const { back: found } = bucket as ShownBucket & {
            readonly back: { doc_count: number; n: { value: number } };
          };
          return [found.doc_count, found.n.value];
        });
        const wanted = present.map((color) => {
          const found = around(color);
          return [color, [found.length, found.reduce((sum, { n }) => sum + n, 0)]];
        });
        expect(sums).toEqual(Object.fromEntries(wanted));
        const parts = items.flatMap((one) => one.parts.map(({ count }) => count));
        const values = [...new Set(parts)];
        expect(shown.items?.parts?.doc_count).toBe(parts.length);
        expect(
          counts(shown.items?.parts?.counts, (bucket) => {
            const { around: found, doc_count: own } = bucket as ShownBucket & { readonly around: ShownBucket };
            return [own, found.doc_count];
          }),
        ).toEqual(
          Object.fromEntries(
            values.map((value) => [
              value,
              [
                parts.filter((count) => count === value).length,
                items.filter((one) => one.parts.some(({ count }) => count === value)).length,
              ],
            ]),
          ),
        );
      }),
    );
  });

  test('stand below buckets that share documents, and above filters', async () => {
    await fc.assert(
      fc.asyncProperty(sources, fc.constantFrom(...COLORS), async (docs, color) => {
        const red = { filter: { term: { 'items.color': color } }, aggs: { sum: { sum: { field: 'items.count' } } } };
        const shown = await answer(docs, { tags: { ...terms('tags'), aggs: { items: nested('items', { red }) } } });
        const live = docs.filter((_, i) => !isDeleted(String(i)));
        const sums = counts(shown.tags, (bucket) => {
          const { items } = bucket as ShownBucket & {
            readonly items: { doc_count: number; red: { doc_count: number; sum: { value: number } } };
          };
          return [items.doc_count, items.red.doc_count, items.red.sum.value];
        });
        const wanted = TAGS.filter((tag) => live.some(({ tags }) => tags.includes(tag))).map((tag) => {
          const items = live.filter(({ tags }) => tags.includes(tag)).flatMap((doc) => doc.items);
          const found = items.filter((one) => one.color === color);
          return [tag, [items.length, found.length, found.reduce((sum, { count }) => sum + count, 0)]];
        });
        expect(sums).toEqual(Object.fromEntries(wanted));
      }),
    );
  });

  test('are refused where there is nothing nested', async () => {
    const docs = [{ tags: [], n: 1, items: [] }];
    await expect(answer(docs, { r: { reverse_nested: {} } })).rejects.toThrow(
      'Reverse nested aggregation [r] can only be used inside a [nested] aggregation',
    );
    await expect(answer(docs, { t: { nested: { path: 'tags.x' } } })).resolves.toEqual({ t: { doc_count: 0 } });
  });
});

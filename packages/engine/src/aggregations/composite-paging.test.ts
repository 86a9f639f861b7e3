import {
  BucketBudget,
  finishAggregations,
  parseAggregations,
  readPartials,
  renderAggregations,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, writeJsonText } from '@shoal/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryContext, runQuery } from '../search/memory-searcher.test-support.ts';
import { MAPPING, type PlainDoc } from './naive-aggregations.test-support.ts';

const encoder = new TextEncoder();

interface Bucket {
  readonly key: Readonly<Record<string, string | number | boolean | null>>;
  readonly doc_count: number;
}

async function pageOf(contexts: readonly ReturnType<typeof memoryContext>[], aggs: object): Promise<Bucket[]> {
  const tree = parseAggregations(parseJsonTree(encoder.encode(JSON.stringify(aggs))) as JsonObjectNode);
  const shards = [];
  for (const context of contexts) {
    const { aggregations } = await runQuery(context, { size: 0, aggs }, { topN: 0 });
    shards.push(readPartials(aggregations ?? new Uint8Array(0)));
  }
  const finished = finishAggregations(tree, shards, new BucketBudget(100_000));
  const shown = JSON.parse(writeJsonText(renderAggregations(tree, finished, { typedKeys: false })));
  return shown.c.buckets;
}

const doc = fc.record({
  kw: fc.option(fc.array(fc.constantFrom('a', 'b', 'ü', 'zz'), { minLength: 1, maxLength: 2 }), { nil: undefined }),
  n: fc.option(fc.integer({ min: -5, max: 5 }), { nil: undefined }),
  x: fc.option(
    fc.integer({ min: -8, max: 8 }).map((value) => value / 4),
    { nil: undefined },
  ),
});
const direction = fc.constantFrom('asc', 'desc');
const missing = fc.record({ missing_bucket: fc.boolean(), missing_order: fc.constantFrom('default', 'first', 'last') });

function sourceOf(name: string, field: string, isHistogram: boolean) {
  return fc.tuple(direction, missing).map(([order, given]) => {
    const options = { field, order, ...(given.missing_bucket ? given : {}) };
    return { [name]: isHistogram ? { histogram: { ...options, interval: 2 } } : { terms: options } };
  });
}
const sources = fc
  .shuffledSubarray(
    [sourceOf('k', 'kw', false), sourceOf('n', 'n', false), sourceOf('h', 'n', true), sourceOf('x', 'x', false)],
    { minLength: 1 },
  )
  .chain((list) => fc.tuple(...list));

/** Every combination of a document's values, and how many documents have it. */
function naiveCounts(docs: readonly PlainDoc[], declared: readonly object[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of docs) {
    let keys: (string | number | null)[][] = [[]];
    for (const source of declared) {
      const [[kind, options]] = Object.entries(Object.values(source)[0]) as [[string, Record<string, unknown>]];
      const given = one[options.field as keyof PlainDoc];
      const list = given === undefined ? [] : Array.isArray(given) ? [...new Set(given)] : [given];
      const values = list.map((value) => (kind === 'histogram' ? Math.floor(Number(value) / 2) * 2 : value));
      const choices = values.length === 0 && options.missing_bucket === true ? [null] : values;
      keys = keys.flatMap((head) => choices.map((choice) => [...head, choice as string | number | null]));
    }
    for (const key of keys) counts.set(JSON.stringify(key), (counts.get(JSON.stringify(key)) ?? 0) + 1);
  }
  return counts;
}

test('pages of any size are together all buckets, each once and in one order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(doc, fc.nat(1), fc.nat(1)), { maxLength: 30 }),
      sources,
      fc.constantFrom(1, 2, 3, 7),
      async (placed, declared, size) => {
        const contexts = [0, 1].map((shard) => {
          const segments = [0, 1].map((segment) =>
            placed.flatMap(([one, s, g], i) =>
              s === shard && g === segment ? [{ id: String(i), source: JSON.stringify(one) }] : [],
            ),
          );
          return memoryContext(
            MAPPING,
            segments.filter((list) => list.length > 0),
          );
        });
        const ask = (count: number, after?: object) =>
          pageOf(contexts, { c: { composite: { size: count, sources: declared, ...(after && { after }) } } });
        const whole = await ask(10_000);
        const names = declared.map((source) => Object.keys(source)[0] as string);
        const shown = whole.map(
          ({ key, doc_count }) => [JSON.stringify(names.map((name) => key[name])), doc_count] as const,
        );
        expect(new Map(shown)).toEqual(
          naiveCounts(
            placed.map(([one]) => one as PlainDoc),
            declared,
          ),
        );
        const paged: Bucket[] = [];
        for (let page = await ask(size); page.length > 0; page = await ask(size, page.at(-1)?.key)) paged.push(...page);
        expect(paged).toEqual(whole);
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);

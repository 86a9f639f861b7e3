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
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';
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
});

const KEYS = 13_000;
const spread = Array.from({ length: KEYS + 2_000 }, (_, i): PlainDoc => {
  const n = (i * 7_919) % KEYS;
  return { n, x: n % 10, b: i % 2 === 0 };
});
const ordered = spread.toSorted((a, b) => Number(b.n) - Number(a.n));

test.each([
  ['in any order', spread],
  ['from the last on', ordered],
] as const)('of more keys than are kept, met %s, the first are left', async (_, docs) => {
  const half = docs.length / 2;
  const placed = docs.map((one, i) => ({ id: String(i), source: JSON.stringify(one) }));
  for (const parts of [[placed], [placed.slice(0, half), placed.slice(half)]]) {
    for (const order of ['asc', 'desc']) {
      const sources = [{ n: { terms: { field: 'n', order } } }];
      const after = order === 'asc' ? 99 : 12_900;
      const c = { composite: { size: 40, sources, after: { n: after } }, aggs: { s: { sum: { field: 'x' } } } };
      const page = await pageOf([memoryContext(MAPPING, parts)], { c });
      const step = order === 'asc' ? 1 : -1;
      const expected = Array.from({ length: 40 }, (_, i) => {
        const n = after + step * (i + 1);
        const count = docs.filter((one) => one.n === n).length;
        return { key: { n }, doc_count: count, s: { value: count * (n % 10) } };
      });
      expect(page).toEqual(expected);
    }
  }
});

test.each([
  ['-05:00', undefined],
  ['-05:00', 'yyyy-MM-dd'],
  ['+09:00', 'yyyy-MM-dd'],
  ['America/New_York', 'yyyy-MM-dd HH:mm'],
  ['Europe/Berlin', 'yyyy-MM-dd HH:mm:ss XXX'],
])('pages of days in the zone %s with the format %s are together all days', async (zone, format) => {
  const dates = Array.from({ length: 8 }, (_, i) => `2024-03-${String(8 + i).padStart(2, '0')}T03:00:00Z`);
  const docs = dates.map((d, i) => ({ id: String(i), source: JSON.stringify({ d }) }));
  const context = memoryContext({ properties: { d: { type: 'date' } } }, [docs]);
  for (const order of ['asc', 'desc']) {
    const histogram = { field: 'd', calendar_interval: 'day', time_zone: zone, format, order };
    const ask = (size: number, after?: object) =>
      pageOf([context], { c: { composite: { size, sources: [{ day: { date_histogram: histogram } }], after } } });
    const paged: Bucket[] = [];
    for (let page = await ask(1); page.length > 0 && paged.length < 20; page = await ask(1, page[0]?.key)) {
      paged.push(...page);
    }
    expect(paged).toEqual(await ask(100));
    expect(paged).toHaveLength(8);
  }
});

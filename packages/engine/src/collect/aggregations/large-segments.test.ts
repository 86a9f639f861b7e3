/** Segments of many batches: what whole batches, lists of documents and single look-ups make of them must be the same. */
import {
  BucketBudget,
  finishAggregations,
  parseAggregations,
  readPartials,
  renderAggregations,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, writeJsonText } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import type { SegmentMemory } from '../../memory/segment-memory.ts';
import { createSegmentMemory } from '../../memory/thread-memory.ts';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';
import { MAPPING, naive, type PlainDoc, type Request } from './naive-aggregations.test-support.ts';

const DOCS = 9_000;
const DAY_MS = 86_400_000;

/** Numbers in 0..1, the same at each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = randomFrom(7);
const docs = Array.from(
  { length: DOCS },
  (): PlainDoc => ({
    kw: `k${Math.floor(40 * random() ** 3)}`,
    n: Math.floor(random() * 8_000),
    x: Math.floor(random() * 3e5) / 100,
    // Five bytes a value.
    d: 1_700_000_000_000 + Math.floor(random() * 400 * DAY_MS),
    b: random() < 0.5,
  }),
);

async function answer(
  segments: number,
  filter: unknown,
  aggs: unknown,
  isDeleted?: (id: string) => boolean,
  memory?: SegmentMemory,
  options: Readonly<Record<string, unknown>> = {},
) {
  const parts = Array.from({ length: segments }, (_, segment) =>
    docs
      .map((doc, i) => ({ id: String(i), source: JSON.stringify(doc) }))
      .filter((_, i) => Math.floor((i * segments) / DOCS) === segment),
  );
  const context = memoryContext(MAPPING, parts, isDeleted, memory);
  const { aggregations } = await runQuery(context, { size: 0, query: filter, aggs, ...options }, { topN: 0 });
  const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
  const partials = readPartials(aggregations ?? new Uint8Array(0));
  const finished = finishAggregations(tree, [partials], new BucketBudget(100_000));
  return JSON.parse(writeJsonText(renderAggregations(tree, finished, { typedKeys: false })));
}

function near(actual: unknown, expected: unknown, path: string): void {
  if (typeof actual === 'number' && typeof expected === 'number') {
    expect(Math.abs(actual - expected), path).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
  } else if (typeof actual === 'object' && actual !== null && typeof expected === 'object' && expected !== null) {
    expect(Object.keys(actual).sort(), path).toEqual(Object.keys(expected).sort());
    for (const [name, value] of Object.entries(expected)) near((actual as never)[name], value, `${path}.${name}`);
  } else expect(actual, path).toBe(expected);
}

const HALF = { term: { b: true } };
const ALL = { match_all: {} };
const wide = { min_doc_count: 1 };
const REQUEST: Request = {
  texts: { terms: { field: 'kw', size: 50 }, aggs: { s: { stats: { field: 'x' } }, a: { avg: { field: 'n' } } } },
  plainTexts: { terms: { field: 'kw', size: 7 } },
  numbers: { terms: { field: 'n', size: 20 }, aggs: { m: { max: { field: 'd' } } } },
  steps: { histogram: { field: 'n', interval: 250, ...wide } },
  finerSteps: { histogram: { field: 'x', interval: 12.5, ...wide }, aggs: { s: { sum: { field: 'n' } } } },
  days: { histogram: { field: 'd', interval: DAY_MS, ...wide }, aggs: { c: { value_count: { field: 'kw' } } } },
  ranges: {
    range: {
      field: 'x',
      ranges: [
        { key: 'low', to: 500 },
        { key: 'high', from: 400 },
      ],
    },
  },
  nested: {
    terms: { field: 'kw', size: 50 },
    aggs: { h: { histogram: { field: 'x', interval: 500, ...wide }, aggs: { s: { sum: { field: 'x' } } } } },
  },
  filtered: { filters: { filters: { a: HALF, b: { range: { n: { gte: 100, lt: 700 } } } }, other_bucket: true } },
  total: { stats: { field: 'x' } },
};

describe('segments of many documents', () => {
  test.each([
    ['all of one', 1, ALL, undefined],
    ['half of one', 1, HALF, undefined],
    ['some deleted', 1, ALL, (id: string) => Number(id) % 3 === 1],
    ['all of several', 4, ALL, undefined],
    ['a few of several', 3, { range: { n: { gte: 0, lt: 200 } } }, (id: string) => Number(id) % 7 === 1],
  ] as const)('%s: as computed document by document', async (_, segments, filter, isDeleted) => {
    const shown = await answer(segments, filter, REQUEST, isDeleted);
    const live = docs.filter((_, i) => isDeleted?.(String(i)) !== true);
    const { doc_count: _count, ...expected } = naive({ f: { filter, aggs: REQUEST } }, live, live).f as Request;
    const plain = JSON.parse(JSON.stringify(expected));
    // Dates are shown as texts beside; the numbers tell all.
    for (const bucket of shown.days.buckets) delete bucket.key_as_string;
    for (const bucket of shown.numbers.buckets) delete bucket.m.value_as_string;
    near(shown, plain, '');
  });

  const other = { term: { kw: 'k0' } };
  const low = { range: { n: { lt: 4_000 } } };
  test.each([
    ['of a term', HALF, {}],
    ['of any', { bool: { should: [HALF, other] } }, {}],
    ['of all', { bool: { must: [HALF, other] } }, {}],
    ['of one with a filter', { bool: { must: [HALF], filter: [low] } }, {}],
    ['of one without others', { bool: { must: [HALF], must_not: [low] } }, {}],
    ['of one, cut by score', HALF, { min_score: 0.5 }],
    ['of one, ended early', HALF, { terminate_after: 3_000 }],
  ] as const)('matches %s: the kernels hand on those of the scorers', async (_, query, options) => {
    const kernels = createSegmentMemory({ bytesMax: 2 ** 26 });
    const isDeleted = (id: string): boolean => Number(id) % 11 === 4;
    for (const deleted of [undefined, isDeleted]) {
      const plain = await answer(2, query, REQUEST, deleted, undefined, options);
      expect(await answer(2, query, REQUEST, deleted, kernels, options)).toEqual(plain);
    }
  });

  test('weeks and months of dates', async () => {
    const aggs = {
      weeks: { date_histogram: { field: 'd', calendar_interval: 'week', ...wide } },
      months: {
        date_histogram: { field: 'd', calendar_interval: 'month', time_zone: 'Europe/Berlin', ...wide },
        aggs: { t: { terms: { field: 'b' } } },
      },
    };
    const whole = await answer(1, ALL, aggs);
    const listed = await answer(3, { range: { n: { gte: 0 } } }, aggs);
    expect(listed).toEqual(whole);
    const starts = new Map<number, number>();
    for (const { d } of docs) {
      const monday = Math.floor((Number(d) / DAY_MS - 4) / 7) * 7 + 4;
      starts.set(monday * DAY_MS, (starts.get(monday * DAY_MS) ?? 0) + 1);
    }
    const weeks = whole.weeks.buckets.map(({ key, doc_count }: { key: number; doc_count: number }) => [key, doc_count]);
    expect(weeks).toEqual([...starts].toSorted(([a], [b]) => a - b));
    const inMonths = whole.months.buckets.map(({ doc_count }: { doc_count: number }) => doc_count);
    expect(inMonths.reduce((a: number, b: number) => a + b, 0)).toBe(DOCS);
  });

  test('quantiles and distinct values do not depend on how documents are read', async () => {
    const aggs = {
      p: { percentiles: { field: 'x', percents: [1, 25, 50, 75, 99] } },
      h: { percentiles: { field: 'x', percents: [50, 99], hdr: {} } },
      c: { cardinality: { field: 'kw' } },
      n: { cardinality: { field: 'n' } },
    };
    const whole = await answer(1, ALL, aggs);
    const listed = await answer(3, { range: { n: { gte: 0 } } }, aggs);
    const sorted = docs.map(({ x }) => Number(x)).toSorted((a, b) => a - b);
    for (const percent of [1, 25, 50, 75, 99]) {
      const exact = sorted[Math.floor((percent / 100) * (DOCS - 1))] as number;
      const key = `${percent}.0`;
      for (const { p } of [whole, listed]) expect(Math.abs(p.values[key] - exact)).toBeLessThan(30);
    }
    expect([listed.h, listed.c, listed.n]).toEqual([whole.h, whole.c, whole.n]);
    expect(whole.c.value).toBe(new Set(docs.map(({ kw }) => kw)).size);
    const distinct = new Set(docs.map(({ n }) => n)).size;
    expect(Math.abs(whole.n.value - distinct)).toBeLessThan(0.05 * distinct);
  });
});

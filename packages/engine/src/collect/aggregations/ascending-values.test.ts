/** Values that ascend with the documents, as those of logs do: whole blocks in one bucket are counted like any others. */
import {
  BucketBudget,
  finishAggregations,
  parseAggregations,
  readPartials,
  renderAggregations,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, writeJsonText } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { memoryContext, runQuery } from '../../phases/query/memory-searcher.test-support.ts';
import { MAPPING, naive, type PlainDoc, type Request } from './naive-aggregations.test-support.ts';

const DOCS = 12_000;
const HOUR_MS = 3_600_000;

/** Numbers in 0..1, the same at each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** `isSparse`: some documents lack the values, so that no block is told by its bounds. */
function makeDocs(isSparse: boolean): PlainDoc[] {
  const random = randomFrom(11);
  return Array.from({ length: DOCS }, (_, i): PlainDoc => {
    const lacks = isSparse && i % 50 === 7;
    return {
      kw: `k${Math.floor(9 * random() ** 2)}`,
      x: Math.floor(random() * 3e5) / 100,
      b: random() < 0.5,
      // Steps of several blocks, with some disorder at the ends.
      ...(lacks
        ? {}
        : { n: Math.floor((i + 20 * random()) / 3), d: 1_700_000_000_000 + Math.floor((i + random()) * 60_000) }),
    };
  });
}

interface Answered {
  readonly docs: readonly PlainDoc[];
  readonly segments: number;
  readonly filter: unknown;
  readonly isDeleted?: ((id: string) => boolean) | undefined;
}

async function answer({ docs, segments, filter, isDeleted }: Answered, aggs: unknown) {
  const parts = Array.from({ length: segments }, (_, segment) =>
    docs
      .map((doc, i) => ({ id: String(i), source: JSON.stringify(doc) }))
      .filter((_, i) => Math.floor((i * segments) / DOCS) === segment),
  );
  const context = memoryContext(MAPPING, parts, isDeleted);
  const { aggregations } = await runQuery(context, { size: 0, query: filter, aggs }, { topN: 0 });
  const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
  const finished = finishAggregations(
    tree,
    [readPartials(aggregations ?? new Uint8Array(0))],
    new BucketBudget(100_000),
  );
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

const ALL = { match_all: {} };
const HALF = { term: { b: true } };
const FEW = { term: { kw: 'k8' } };
const shown = { min_doc_count: 1 };
const REQUEST: Request = {
  one: { histogram: { field: 'n', interval: 10_000, ...shown } },
  wide: { histogram: { field: 'n', interval: 900, ...shown } },
  narrow: { histogram: { field: 'n', interval: 7, ...shown } },
  wideWithin: {
    histogram: { field: 'n', interval: 900, ...shown },
    aggs: { t: { terms: { field: 'kw', size: 20 } }, s: { sum: { field: 'x' } } },
  },
  wideNested: {
    histogram: { field: 'n', interval: 900, ...shown },
    aggs: {
      t: { terms: { field: 'kw', size: 20 }, aggs: { s: { sum: { field: 'x' } } } },
      f: { terms: { field: 'b' }, aggs: { s: { stats: { field: 'n' } }, k: { terms: { field: 'kw', size: 20 } } } },
    },
  },
  narrowWithin: { histogram: { field: 'n', interval: 50, ...shown }, aggs: { s: { sum: { field: 'x' } } } },
  runs: {
    histogram: { field: 'n', interval: 300, ...shown },
    aggs: {
      t: { terms: { field: 'kw', size: 20 }, aggs: { s: { sum: { field: 'n' } }, a: { avg: { field: 'n' } } } },
      s: { sum: { field: 'n' } },
    },
  },
  flat: { terms: { field: 'kw', size: 20 }, aggs: { s: { sum: { field: 'n' } } } },
  flags: { terms: { field: 'b' }, aggs: { a: { avg: { field: 'n' } }, x: { max: { field: 'n' } } } },
  hours: { histogram: { field: 'd', interval: HOUR_MS, ...shown } },
  days: { histogram: { field: 'd', interval: 24 * HOUR_MS, ...shown }, aggs: { a: { avg: { field: 'x' } } } },
  under: { terms: { field: 'kw', size: 20 }, aggs: { h: { histogram: { field: 'n', interval: 900, ...shown } } } },
};

describe('histograms of values that ascend', () => {
  test.each([
    ['all of one segment', 1, ALL, undefined],
    ['half of one', 1, HALF, undefined],
    ['few of one', 1, FEW, undefined],
    ['some deleted', 1, ALL, (id: string) => Number(id) % 3 === 1],
    ['all of several', 5, ALL, undefined],
    ['half of several, some deleted', 3, HALF, (id: string) => Number(id) % 7 === 1],
  ] as const)('%s: as computed document by document', async (_, segments, filter, isDeleted) => {
    for (const isSparse of [false, true]) {
      const docs = makeDocs(isSparse);
      const found = await answer({ docs, segments, filter, isDeleted }, REQUEST);
      const live = docs.filter((_, i) => isDeleted?.(String(i)) !== true);
      const { doc_count: _count, ...expected } = naive({ f: { filter, aggs: REQUEST } }, live, live).f as Request;
      for (const name of ['hours', 'days']) for (const bucket of found[name].buckets) delete bucket.key_as_string;
      near(found, JSON.parse(JSON.stringify(expected)), `sparse: ${isSparse}`);
    }
  });

  test('days of a calendar are the steps of 24 hours of its zone', async () => {
    const docs = makeDocs(false);
    const aggs = {
      calendar: { date_histogram: { field: 'd', calendar_interval: 'day', ...shown } },
      fixed: { date_histogram: { field: 'd', fixed_interval: '24h', ...shown } },
    };
    for (const filter of [ALL, HALF]) {
      const { calendar, fixed } = await answer({ docs, segments: 2, filter }, aggs);
      expect(calendar.buckets.length).toBeGreaterThan(7);
      expect(calendar).toEqual(fixed);
    }
  });

  test('documents that count as several count so in whole blocks', async () => {
    const docs = makeDocs(false).map((doc, i) => (i % 5 === 0 ? { ...doc, _doc_count: 4 } : doc));
    const expected = new Map<number, number>();
    for (const [i, doc] of docs.entries()) {
      const key = Math.floor(Number(doc.n) / 900) * 900;
      expected.set(key, (expected.get(key) ?? 0) + (i % 5 === 0 ? 4 : 1));
    }
    const aggs = { h: { histogram: { field: 'n', interval: 900, ...shown } } };
    const { h } = await answer({ docs, segments: 1, filter: ALL }, aggs);
    const counts = h.buckets.map(({ key, doc_count }: { key: number; doc_count: number }) => [key, doc_count]);
    expect(counts).toEqual([...expected]);
  });
});

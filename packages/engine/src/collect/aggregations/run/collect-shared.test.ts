import {
  BucketBudget,
  finishAggregations,
  parseAggregations,
  readPartials,
  renderAggregations,
} from '@shoal/aggregations';
import { type JsonObjectNode, parseJsonTree, ShoalError, writeJsonText } from '@shoal/core';
import { describe, expect, test } from 'vitest';
import { createSegmentMemory } from '../../../memory/thread-memory.ts';
import type { QueryContext } from '../../../phases/context/query-context.ts';
import { type Guest, guestWith, runDivided } from '../../../phases/query/divided-search.test-support.ts';
import { memoryContext } from '../../../phases/query/memory-searcher.test-support.ts';
import { PartClaims } from './part-claims.ts';

const DOCS = 9_000;

/** Numbers in 0..1, the same at each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const MAPPING = {
  properties: {
    kw: { type: 'keyword' },
    many: { type: 'keyword' },
    n: { type: 'long' },
    x: { type: 'double' },
    d: { type: 'date' },
  },
} as const;
const random = randomFrom(11);
const docs = Array.from({ length: DOCS }, (_, i) => ({
  kw: `k${Math.floor(60 * random() ** 3)}`,
  many: `m${Math.floor(4_000 * random())}`,
  n: Math.floor(random() * 900),
  // Sums of these are rounded: the order in which they are added shows in their last digits.
  x: random() * 10 ** Math.floor(12 * random()),
  d: 1_700_000_000_000 + i * 3_600_000,
}));

const isDeleted = (id: string): boolean => Number(id) % 13 === 5;

const contexts = new Map<string, QueryContext>();

/** One for each thread: in memory of its own, with kernels where it has them. */
function contextOf(segments: number, hasKernels: boolean, thread = 0): QueryContext {
  const key = `${segments} ${hasKernels} ${thread}`;
  const known = contexts.get(key) ?? makeContext(segments, hasKernels);
  contexts.set(key, known);
  return known;
}

function makeContext(segments: number, hasKernels: boolean): QueryContext {
  const lists = Array.from({ length: segments }, (_, segment) =>
    docs.flatMap((doc, i) =>
      Math.floor((i * segments) / DOCS) === segment ? [{ id: String(i), source: JSON.stringify(doc) }] : [],
    ),
  );
  const memory = hasKernels ? createSegmentMemory({ bytesMax: 2 ** 26 }) : undefined;
  return memoryContext(MAPPING, lists, isDeleted, memory);
}

const ROUNDED = {
  texts: {
    terms: { field: 'kw', size: 9 },
    aggs: { x: { avg: { field: 'x' } }, e: { extended_stats: { field: 'x' } } },
  },
  days: { date_histogram: { field: 'd', fixed_interval: '7d' }, aggs: { s: { stats: { field: 'x' } } } },
  top: { sum: { field: 'x' } },
};
const EXACT = {
  texts: { terms: { field: 'kw', size: 9, order: { n: 'desc' } }, aggs: { n: { sum: { field: 'n' } } } },
  many: { terms: { field: 'many', size: 20, missing: 'none' } },
  numbers: { terms: { field: 'n', size: 20 }, aggs: { c: { cardinality: { field: 'many' } } } },
  distinct: { cardinality: { field: 'many', precision_threshold: 100 } },
  ranges: {
    range: { field: 'n', ranges: [{ to: 300 }, { from: 200, to: 700 }] },
    aggs: { h: { histogram: { field: 'n', interval: 50 }, aggs: { m: { max: { field: 'd' } } } } },
  },
  filtered: {
    filters: { other_bucket: true, filters: { a: { term: { kw: 'k1' } }, b: { range: { n: { lt: 90 } } } } },
    aggs: { v: { value_count: { field: 'kw' } } },
  },
};

const QUERIES = [
  { match_all: {} },
  { range: { n: { gte: 100, lt: 800 } } },
  { term: { kw: 'k0' } },
  { bool: { must: [{ term: { kw: 'k0' } }], must_not: [{ term: { kw: 'k1' } }] } },
  { script: { script: { source: "doc['n'].value % 3 == 1" } } },
];

function shown(aggs: object, bytes: Uint8Array | null): unknown {
  const tree = parseAggregations(parseJsonTree(new TextEncoder().encode(JSON.stringify(aggs))) as JsonObjectNode);
  const finished = finishAggregations(tree, [readPartials(bytes ?? new Uint8Array(0))], new BucketBudget(100_000));
  return JSON.parse(writeJsonText(renderAggregations(tree, finished, { typedKeys: false })));
}

async function answer(
  { segments, hasKernels, guests }: { segments: number; hasKernels: boolean; guests: readonly Guest[] | null },
  query: object,
  aggs: object,
): Promise<{ readonly shown: unknown; readonly total: unknown; readonly byGuests: number }> {
  const context = contextOf(segments, hasKernels);
  const body = { size: 0, track_total_hits: true, query, aggs };
  const { outcome, byGuests } = await runDivided(context, guests, body, { topN: 0 });
  return { shown: shown(aggs, outcome.aggregations), total: outcome.total, byGuests };
}

describe('a search that is divided among threads', () => {
  test.each(QUERIES)('is answered as by one thread: %j', async (query) => {
    for (const [segments, hasKernels] of [
      [1, true],
      [3, false],
      [3, true],
    ] as const) {
      const kind = { segments, hasKernels };
      const guests = (count: number): Guest[] =>
        Array.from({ length: count }, (_, i) => guestWith(contextOf(segments, hasKernels, i + 1)));
      const exact = await answer({ ...kind, guests: null }, query, EXACT);
      const rounded = await answer({ ...kind, guests: [] }, query, ROUNDED);
      for (const count of [1, 2]) {
        const divided = await answer({ ...kind, guests: guests(count) }, query, EXACT);
        expect(divided).toMatchObject({ shown: exact.shown, total: exact.total });
        expect(divided.byGuests).toBeGreaterThan(0);
        const again = await answer({ ...kind, guests: guests(count) }, query, ROUNDED);
        expect(again).toMatchObject({ shown: rounded.shown, total: rounded.total });
        expect(again.byGuests).toBeGreaterThan(0);
      }
    }
  });

  test('is answered when a guest fails after it claimed a part, or never answers', async () => {
    const query = { match_all: {} };
    const kind = { segments: 2, hasKernels: false };
    const expected = await answer({ ...kind, guests: null }, query, EXACT);
    const failing: Guest = async (search) => {
      await guestWith(contextOf(2, false, 1))(search);
      throw new ShoalError('circuit_breaking_exception', 429, 'no room');
    };
    const silent: Guest = async (search) => {
      await guestWith(contextOf(2, false, 1))(search);
      return new Promise(() => {});
    };
    for (const guest of [failing, silent]) {
      const { shown: found, total } = await answer({ ...kind, guests: [guest] }, query, EXACT);
      expect({ found, total }).toEqual({ found: expected.shown, total: expected.total });
    }
  });
});

test('a search that is cancelled ends in all of its threads', async () => {
  let ended: Promise<unknown> | null = null;
  let claims: PartClaims | null = null;
  const stop = {
    get isStopped(): boolean {
      return claims !== null;
    },
  };
  const guest: Guest = (search) => {
    claims = new PartClaims(search.shared.parts.length, search.shared.claims);
    ended = guestWith(contextOf(3, false, 1))(search).catch(() => {});
    // A part that nobody hands over: the owner waits for it, and looks whether it is to end.
    claims.claim();
    return new Promise(() => {});
  };
  const body = { size: 0, query: { match_all: {} }, aggs: EXACT };
  // Nobody waits for what it says.
  await runDivided(contextOf(3, false), [guest], body, { topN: 0, stop }).catch(() => {});
  expect((claims as PartClaims | null)?.isStopped).toBe(true);
  expect((claims as PartClaims | null)?.claim()).toBe(-1);
  await ended;
});

describe('a search is left to one thread', () => {
  const ALL = { match_all: {} };
  const never: Guest = () => Promise.reject(new Error('a guest was asked'));

  test.each([
    ['that ends early', { terminate_after: 10 }, EXACT],
    ['with a time-out', { timeout: '1h' }, EXACT],
    ['with a least score', { min_score: 0.5 }, EXACT],
    ['over all documents beside its matches', {}, { g: { global: {} } }],
    ['for quantiles, which depend on the order of values', {}, { p: { percentiles: { field: 'x' } } }],
  ])('%s', async (_, options, aggs) => {
    const body = { size: 0, query: ALL, aggs, ...options };
    const plain = await runDivided(contextOf(2, false), null, body, { topN: 0 });
    let asked = 0;
    const counting: Guest = (search) => {
      asked++;
      return never(search);
    };
    const { outcome } = await runDivided(contextOf(2, false), [counting], body, { topN: 0 });
    expect({ asked, shown: shown(aggs, outcome.aggregations) }).toEqual({
      asked: 0,
      shown: shown(aggs, plain.outcome.aggregations),
    });
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';

const MAPPING = { properties: { at: { type: 'date' }, n: { type: 'long' } } };
const BASE = Date.UTC(2019, 9, 20);

interface Bucket {
  readonly key: number;
  readonly doc_count: number;
  readonly sum: { readonly value: number };
}

async function histogram(shards: readonly (readonly object[])[], options: object) {
  const aggs = { h: { auto_date_histogram: { field: 'at', ...options }, aggs: { sum: { sum: { field: 'n' } } } } };
  return (await answerOf(MAPPING, shards, aggs)).h as unknown as { buckets: Bucket[]; interval: string };
}

const span = fc.constantFrom(1e3, 1e5, 1e7, 1e9, 1e11, 1e12);
const doc = fc.tuple(span, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(9)).map(([ms, share, n]) => ({
  at: BASE + Math.floor(ms * share),
  n,
}));
const shards = fc.array(fc.array(doc, { minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 3 });

test('every document is in one bucket, of at most as many as are wanted, and they follow each other', async () => {
  await fc.assert(
    fc.asyncProperty(shards, fc.integer({ min: 1, max: 30 }), async (docs, buckets) => {
      const { buckets: shown } = await histogram(docs, { buckets });
      const all = docs.flat();
      const first = Math.min(...all.map(({ at }) => at));
      expect(shown.length).toBeLessThanOrEqual(buckets);
      expect(shown[0]?.key).toBeLessThanOrEqual(first);
      for (const [i, { key, doc_count: count, sum }] of shown.entries()) {
        const end = shown[i + 1]?.key ?? Number.POSITIVE_INFINITY;
        const within = all.filter(({ at }) => at >= key && at < end);
        expect([count, sum.value]).toEqual([within.length, within.reduce((total, { n }) => total + n, 0)]);
      }
    }),
  );
});

test('the split over shards and segments changes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(shards, fc.integer({ min: 1, max: 30 }), async (docs, buckets) => {
      expect(await histogram(docs, { buckets })).toEqual(await histogram([docs.flat()], { buckets }));
    }),
    { numRuns: 50 },
  );
});

test('a document of several dates counts once in each interval of the unit', async () => {
  const single = [
    { at: '2019-01-01', n: 1 },
    { at: '2021-06-01', n: 1 },
  ];
  const several = Array.from({ length: 40 }, (_, i) => ({
    at: [`2020-03-${10 + (i % 9)}`, `2020-0${4 + (i % 5)}-02`],
    n: 1,
  }));
  const { buckets, interval } = await histogram([[...single, ...several]], { buckets: 3 });
  expect([interval, buckets.map(({ doc_count: count }) => count)]).toEqual(['1y', [1, 40, 1]]);
});

test('more seconds than a unit may have go on by the next one', async () => {
  const docs = Array.from({ length: 400 }, (_, i) => ({ at: BASE + i * 1_000, n: 1 }));
  const { buckets, interval } = await histogram([docs], { buckets: 3 });
  expect([interval, buckets.map(({ doc_count: count }) => count)]).toEqual(['5m', [300, 100]]);
});

test.each([
  [['2020-01-01', '2021-03-01'], { buckets: 5 }, '3M', 5],
  [['2020-01-01', '2021-03-01'], { buckets: 1 }, '5y', 1],
  [['2020-01-01T10:00:05Z'], { minimum_interval: 'day' }, '1d', 1],
  [['2020-01-01T10:00:05Z'], { minimum_interval: null }, '1s', 1],
  [[], {}, '1s', 0],
])('%j with %j has the interval %s', async (dates, options, interval, count) => {
  const docs = [...dates.map((at) => ({ at, n: 1 })), { n: 2 }];
  const shown = await histogram([docs], options);
  expect([shown.interval, shown.buckets.length]).toEqual([interval, count]);
});

test('without documents has the shortest interval, also where a neighbour has long ones', async () => {
  const aggs = { a: { auto_date_histogram: { field: 'at', buckets: 1, minimum_interval: 'minute' } } };
  const around = { h: { histogram: { field: 'n', interval: 1 }, aggs } };
  const docs = [{ at: '2020-01-01', n: 0 }, { at: '2024-01-01', n: 0 }, { n: 2 }];
  const { h } = await answerOf(MAPPING, [docs], around);
  expect(bucketsIn(h).map(({ a }) => a?.interval)).toEqual(['5y', '1m', '1m']);
});

test.each([
  [{ buckets: 0 }, 'failed to parse field [buckets]'],
  [{ buckets: 2_185 }, 'buckets must be less than 2184'],
  [{ minimum_interval: 'week' }, 'failed to parse field [minimum_interval]'],
  [{ keyed: true }, 'unknown field [keyed]'],
])('%j is refused', async (options, reason) => {
  await expect(histogram([[{ n: 1 }]], options)).rejects.toThrow(reason);
});

test('the interval is that of the documents, also where a pipeline drops all buckets', async () => {
  const docs = [{ at: '2019-01-01' }, { at: '2021-06-01' }];
  const drop = { bucket_selector: { buckets_path: { n: '_count' }, script: 'params.n > 5' } };
  const aggs = { h: { auto_date_histogram: { field: 'at', buckets: 12 }, aggs: { drop } } };
  expect((await answerOf(MAPPING, [docs], aggs)).h).toEqual({ buckets: [], interval: '3M' });
  expect((await answerOf(MAPPING, [[{ n: 1 }]], aggs)).h).toEqual({ buckets: [], interval: '1s' });
});

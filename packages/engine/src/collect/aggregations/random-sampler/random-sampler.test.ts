/** Samples drawn at random, against what is known of their distribution and against the aggregations over all documents. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';
import { RandomDocs } from './random-docs.ts';

const MAPPING = { properties: { n: { type: 'long' }, t: { type: 'keyword' } } };
const SHARDS = [0, 1].map((shard) =>
  Array.from({ length: 3_000 }, (_, i) => ({ n: i % 100, t: (i + shard) % 4 === 0 ? 'rare' : 'often' })),
);

describe('documents drawn at random', () => {
  test('are about as many as their probability says, and the same for one seed whichever are asked for', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.5, noNaN: true }), fc.string(), (probability, seed) => {
        const docs = Array.from({ length: 20_000 }, (_, doc) => doc);
        const all = new RandomDocs(probability, seed);
        const drawn = docs.filter((doc) => all.has(doc));
        const deviation = Math.sqrt(docs.length * probability * (1 - probability));
        expect(Math.abs(drawn.length - docs.length * probability)).toBeLessThan(6 * deviation);
        const some = new RandomDocs(probability, seed);
        expect(docs.filter((doc) => doc % 3 === 0 && some.has(doc))).toEqual(drawn.filter((doc) => doc % 3 === 0));
      }),
      { numRuns: 50 },
    );
  });
});

describe('a random sampler', () => {
  const inside = {
    t: { terms: { field: 't' }, aggs: { sum: { sum: { field: 'n' } } } },
    stats: { stats: { field: 'n' } },
    median: { percentiles: { field: 'n', percents: [50] } },
    kinds: { cardinality: { field: 't' } },
  };
  const sampled = async (options: object): Promise<Answer> => {
    const { s } = await answerOf(MAPPING, SHARDS, { s: { random_sampler: options, aggs: inside } });
    if (s === undefined) throw new Error('no answer');
    return s;
  };

  test('shows counts and sums as if they were over all documents', async () => {
    const whole = await answerOf(MAPPING, SHARDS, inside);
    const s = await sampled({ probability: 0.2, seed: 7 });
    expect(s).toMatchObject({ seed: 7, probability: 0.2 });
    const near = (value: unknown, expected: unknown) => {
      expect(Math.abs(Number(value) / Number(expected) - 1)).toBeLessThan(0.2);
    };
    near(s.doc_count, 6_000 * 0.2);
    for (const [at, { key, doc_count, sum }] of bucketsIn(whole.t).entries()) {
      const bucket = bucketsIn(s.t)[at];
      expect(bucket?.key).toBe(key);
      near(bucket?.doc_count, doc_count);
      near(bucket?.sum?.value, sum?.value);
    }
    for (const name of ['count', 'sum', 'avg']) near(s.stats?.[name], whole.stats?.[name]);
    // The largest value is one that was looked at.
    expect(Number(s.stats?.max)).toBeLessThanOrEqual(99);
    expect(s.kinds).toEqual({ value: 2 });
    // Each document that was looked at stands for five.
    expect(Number(s.stats?.count)).toBe(Number(s.doc_count) * 5);
  });

  test('draws the same for one seed, and others for another', async () => {
    const first = await sampled({ probability: 0.1, seed: 1 });
    expect(await sampled({ probability: 0.1, seed: 1 })).toEqual(first);
    expect(await sampled({ probability: 0.1, seed: 2 })).not.toMatchObject({ stats: first.stats });
    expect(await sampled({ probability: 0.1, seed: 1, shard_seed: 5 })).not.toMatchObject({ stats: first.stats });
  });

  test('of all documents is what it is without one', async () => {
    const { seed, probability, doc_count, median, ...rest } = await sampled({ probability: 1 });
    expect([seed, probability, doc_count]).toEqual([42, 1, 6_000]);
    // Digests depend on the order of what they are given.
    expect(Number(median?.values?.['50.0'])).toBeCloseTo(49.5, 1);
    const { t, stats, kinds } = inside;
    expect(rest).toEqual(await answerOf(MAPPING, SHARDS, { t, stats, kinds }));
  });

  test.each([
    [{ random_sampler: {}, aggs: inside }, 'Required [probability]'],
    [{ random_sampler: { probability: 0 }, aggs: inside }, 'must be greater than 0'],
    [{ random_sampler: { probability: 0.6 }, aggs: inside }, 'must be between 0.0 and 0.5 or exactly 1.0, was [0.6]'],
    [{ random_sampler: { probability: 0.5, other: 1 }, aggs: inside }, 'other'],
    [{ random_sampler: { probability: 0.5 } }, 'must have sub aggregations'],
    [{ random_sampler: { probability: 0.5 }, aggs: { h: { top_hits: {} } } }, 'does not support sampling [top_hits]'],
    [
      { terms: { field: 't' }, aggs: { r: { random_sampler: { probability: 0.5 }, aggs: inside } } },
      'must be at the top level',
    ],
  ])('%j is refused', async (request, reason) => {
    await expect(answerOf(MAPPING, SHARDS, { s: request })).rejects.toThrow(reason);
  });
});

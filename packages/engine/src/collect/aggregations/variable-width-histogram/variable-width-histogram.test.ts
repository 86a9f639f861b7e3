/** `variable_width_histogram`: values kept apart, values grouped on the shard, clusters of several shards. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerOf, bucketsIn } from '../aggregation-answer.test-support.ts';
import { ValueClusters } from './value-clusters.ts';

const MAPPING = {
  properties: { n: { type: 'double' }, k: { type: 'keyword' }, d: { type: 'date' }, b: { type: 'boolean' } },
};
type Row = readonly [min: number, key: number, max: number, docCount: number];

async function clusters(shards: readonly (readonly object[])[], options: object): Promise<readonly Row[]> {
  const answer = await answerOf(MAPPING, shards, { v: { variable_width_histogram: { field: 'n', ...options } } });
  return bucketsIn(answer.v).map(
    ({ min, key, max, doc_count }) => [min, key, max, doc_count].map(Number) as unknown as Row,
  );
}

const docs = (values: readonly number[]): object[] => values.map((n) => ({ n }));

/** Rows with means rounded: sums may differ in their last bits. */
const near = (rows: readonly Row[]): Row[] =>
  rows.map(([min, key, max, count]) => [min, Math.round(key * 1e6) / 1e6, max, count]);

describe('values that a shard keeps apart', () => {
  test('become as many buckets as are wanted, the nearest values in one', async () => {
    const shards = [docs([1, 2, 50]), docs([1, 3, 52, 200])];
    expect(await clusters(shards, { buckets: 3 })).toEqual([
      [1, 1.75, 3, 4],
      [50, 51, 52, 2],
      [200, 200, 200, 1],
    ]);
  });

  test('are as many buckets as there are, where there are fewer', async () => {
    expect(await clusters([docs([5, 5, 1])], { buckets: 9 })).toEqual([
      [1, 1, 1, 1],
      [5, 5, 5, 2],
    ]);
    expect(await clusters([[{ k: 'a' }]], {})).toEqual([]);
  });

  test('count each of several equal ones of a document, and those that stand for none', async () => {
    const shards = [[{ n: [2, 2, 8] }, { k: 'a' }]];
    expect(await clusters(shards, { missing: 9, buckets: 2 })).toEqual([
      [2, 2, 2, 2],
      [8, 8.5, 9, 2],
    ]);
  });

  test('have aggregations inside, merged over shards', async () => {
    const shards = [
      [
        { n: 1, k: 'a' },
        { n: 2, k: 'b' },
      ],
      [
        { n: 1, k: 'b' },
        { n: 70, k: 'c' },
      ],
    ];
    const aggs = { t: { terms: { field: 'k', size: 1 } }, m: { max: { field: 'n' } } };
    const answer = await answerOf(MAPPING, shards, {
      v: { variable_width_histogram: { field: 'n', buckets: 2 }, aggs },
    });
    const shown = bucketsIn(answer.v).map(({ t, m }) => [bucketsIn(t)[0]?.key, bucketsIn(t)[0]?.doc_count, m?.value]);
    expect(shown).toEqual([
      ['b', 2, 2],
      ['c', 1, 70],
    ]);
  });
});

describe('values that a shard groups', () => {
  test('have means whose last bit decides which of equally distant ones are joined', () => {
    const quarters = Float64Array.from([0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75], (value) => value / 10);
    let mean = 0;
    for (const [at, value] of quarters.entries()) mean = (mean * at + value) / (at + 1);
    expect(new ValueClusters(quarters, 2).clusters.map((cluster) => cluster.mean)).toEqual([mean]);
  });

  const grouping = { buckets: 4, shard_size: 6, initial_buffer: 5 };

  test.each([
    [
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      { buckets: 3, shard_size: 4, initial_buffer: 10 },
      [
        [1, 2.5, 4, 4],
        [5, 6.5, 8, 4],
        [9, 9.5, 10, 2],
      ],
    ],
    [
      [1, 2, 3, 4, 5, 6, 7, 8],
      { buckets: 5, shard_size: 8, initial_buffer: 8 },
      [
        [1, 1.5, 2, 2],
        [3, 3.5, 4, 2],
        [5, 5.5, 6, 2],
        [7, 7.5, 8, 2],
      ],
    ],
    [
      [5, 1, 9, 4, 3, 7, 6, 10, 2, 8, 11],
      grouping,
      [
        [1, 2, 3, 3],
        [4, 5, 6, 3],
        [7, 9, 11, 5],
      ],
    ],
    [
      [5, 1, 9, 4, 3, 100, 7, 6, 10, 2, -50, 8, 11],
      grouping,
      [
        [-50, -11, 3, 4],
        [4, 5, 6, 3],
        [7, 9, 11, 5],
        [100, 100, 100, 1],
      ],
    ],
    // Fewer than the buffer takes, and more than the shard groups into.
    [
      [0, 0, 0, 1, 1, 1, 1, 2, 2, 2],
      { buckets: 3, shard_size: 4 },
      [
        [0, 0.25, 1, 4],
        [1, 1.25, 2, 4],
        [2, 2, 2, 2],
      ],
    ],
    [
      [1, 1, 1, 1, 1, 1, 1, 8, 9, 10, 11],
      { buckets: 3, shard_size: 4, initial_buffer: 11 },
      [
        [1, 1.875, 8, 8],
        [9, 10, 11, 3],
      ],
    ],
  ])('%j with %j', async (values, options, expected) => {
    expect(near(await clusters([docs(values)], options))).toEqual(expected);
  });

  test('are all in one cluster, between its ends, and clusters do not exceed their limit', () => {
    const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(numbers, numbers, fc.integer({ min: 2, max: 12 }), (first, later, most) => {
        let next = first.length;
        const found = new ValueClusters(Float64Array.from(first), most);
        for (const value of later) found.add(value, () => next++);
        const { clusters: all } = found;
        expect(all.length).toBeLessThanOrEqual(most);
        expect(all.reduce((sum, { size }) => sum + size, 0)).toBe(first.length + later.length);
        for (const { min, mean, max } of all) expect(min - 1e-3 <= mean && mean <= max + 1e-3).toBe(true);
      }),
    );
  });

  test('have aggregations inside', async () => {
    const answer = await answerOf(MAPPING, [docs([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])], {
      v: { variable_width_histogram: { field: 'n', ...grouping }, aggs: { s: { sum: { field: 'n' } } } },
    });
    for (const { key, doc_count, s } of bucketsIn(answer.v)) {
      expect(Number(s?.value)).toBeCloseTo(Number(key) * Number(doc_count), 6);
    }
  });
});

describe('a variable_width_histogram is refused', () => {
  test.each([
    [{ field: 'n', buckets: 30, shard_size: 5 }, '3/4 of shard_size must be at least buckets but was [3<30] for [v]'],
    [{ field: 'n', buckets: 30, initial_buffer: 1 }, 'initial_buffer must be at least buckets but was [1<30] for [v]'],
    [{ field: 'n', buckets: 0 }, '[variable_width_histogram] failed to parse field [buckets]'],
    [{ field: 'n', shard_size: 1 }, '[variable_width_histogram] failed to parse field [shard_size]'],
    [{ field: 'n', initial_buffer: 0 }, '[variable_width_histogram] failed to parse field [initial_buffer]'],
    [{ field: 'n', initial_buffer: 500_001 }, 'initial_buffer must be at most [500000]'],
    [{ field: 'n', keyed: true }, '[variable_width_histogram] unknown field [keyed]'],
    [{ field: 'k' }, 'Field [k] of type [keyword] is not supported for aggregation [variable_width_histogram]'],
    [{ field: 'd' }, 'Field [d] of type [date] is not supported for aggregation [variable_width_histogram]'],
    [{ field: 'b' }, 'Field [b] of type [boolean] is not supported for aggregation [variable_width_histogram]'],
  ])('with %j', async (options, reason) => {
    await expect(answerOf(MAPPING, [[]], { v: { variable_width_histogram: options } })).rejects.toThrow(reason);
  });

  test('inside several buckets, not inside one', async () => {
    const aggs = { v: { variable_width_histogram: { field: 'n', buckets: 1 } } };
    const nested = answerOf(MAPPING, [docs([1])], { t: { terms: { field: 'k' }, aggs } });
    await expect(nested).rejects.toThrow(
      'cannot be nested inside an aggregation that collects more than a single bucket',
    );
    const range = { range: { field: 'n', ranges: [{ from: 2 }] }, aggs };
    const answer = await answerOf(MAPPING, [docs([1, 3])], { f: { filter: { match_all: {} }, aggs: { r: range } } });
    const [bucket] = bucketsIn(answer.f?.r);
    expect(bucketsIn(bucket?.v)).toMatchObject([{ min: 3, doc_count: 1 }]);
  });

  test('not inside those that are one bucket: missing, nested and reverse_nested', async () => {
    const mapping = {
      properties: {
        n: { type: 'double' },
        k: { type: 'keyword' },
        o: { type: 'nested', properties: { m: { type: 'long' } } },
      },
    };
    const wide = (field: string) => ({ v: { variable_width_histogram: { field, buckets: 1 } } });
    const back = { reverse_nested: {}, aggs: wide('n') };
    const answer = await answerOf(
      mapping,
      [
        [
          { n: 4, o: [{ m: 1 }, { m: 3 }] },
          { n: 9, k: 'a' },
        ],
      ],
      {
        m: { missing: { field: 'k' }, aggs: wide('n') },
        o: { nested: { path: 'o' }, aggs: { ...wide('o.m'), back } },
      },
    );
    expect(bucketsIn(answer.m?.v)).toMatchObject([{ min: 4, max: 4, doc_count: 1 }]);
    expect(bucketsIn(answer.o?.v)).toMatchObject([{ min: 1, max: 3, doc_count: 2 }]);
    expect(bucketsIn(answer.o?.back?.v)).toMatchObject([{ min: 4, max: 4, doc_count: 1 }]);
  });
});

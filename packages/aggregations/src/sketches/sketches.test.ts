import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HdrSketch } from './hdr-sketch.ts';
import { HyperLogLog, precisionOf } from './hyper-log-log.ts';
import { sortDoubles } from './sort-doubles.ts';
import { TDigest } from './t-digest.ts';

function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 2 ** 32;
  };
}

const halvesOf = (values: Float64Array): Uint32Array => new Uint32Array(values.buffer);

function sketchOf(precision: number, values: Iterable<number>): HyperLogLog {
  const sketch = new HyperLogLog(precision);
  const list = Float64Array.from(values);
  sketch.addDoubles(halvesOf(list), 0, list.length);
  return sketch;
}

function* range(from: number, to: number): Generator<number> {
  for (let i = from; i < to; i++) yield i;
}

describe('sortDoubles', () => {
  test('sorts as the engine does, whatever the numbers', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true }),
      fc.integer().map((n) => n / 8),
      // Equal upper halves: what digits alone do not tell apart.
      fc.integer({ min: 0, max: 5_000 }).map((n) => 1.7e12 + n),
    );
    fc.assert(
      fc.property(fc.array(number, { minLength: 500, maxLength: 3_000, size: 'max' }), (list) => {
        const mine = Float64Array.from(list, (value) => value + 0);
        const theirs = mine.slice().sort();
        sortDoubles(mine);
        expect(mine).toEqual(theirs);
      }),
      { numRuns: 30 },
    );
  });
});

describe('HyperLogLog', () => {
  test('counts exactly while values are few', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true }), { maxLength: 200 }), (list) => {
        const distinct = new Set(list.map((value) => value + 0));
        expect(sketchOf(14, list).cardinality()).toBe(distinct.size);
      }),
    );
  });

  test('is within four standard errors with many values', () => {
    for (const precision of [10, 12, 14, 17]) {
      const error = 1.04 / Math.sqrt(2 ** precision);
      for (const count of [20_000, 100_000, 400_000]) {
        const found = sketchOf(precision, range(precision * 1e6, precision * 1e6 + count)).cardinality();
        expect(Math.abs(found - count) / count, `${count} at ${precision}`).toBeLessThan(4 * error);
      }
    }
  });

  test('merged is the same as one over all values, in any order', () => {
    const spans = fc.array(fc.tuple(fc.nat(30_000), fc.nat(9_000)), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(spans, fc.constantFrom(8, 12, 14), (list, precision) => {
        const merged = new HyperLogLog(precision);
        for (const [from, length] of list) merged.merge(sketchOf(precision, range(from, from + length)));
        const reversed = new HyperLogLog(precision);
        for (const [from, length] of list.toReversed()) {
          reversed.merge(sketchOf(precision, range(from, from + length)));
        }
        const whole = sketchOf(
          precision,
          list.flatMap(([from, length]) => [...range(from, from + length)]),
        );
        expect(reversed.cardinality()).toBe(merged.cardinality());
        expect(whole.cardinality()).toBe(merged.cardinality());
      }),
      { numRuns: 40 },
    );
  });

  test('takes the memory that the threshold allows', () => {
    expect(precisionOf(3_000)).toBe(14);
    expect(precisionOf(0)).toBe(4);
    expect(precisionOf(40_000)).toBe(18);
    expect(sketchOf(14, range(0, 100_000)).sizeBytes).toBe(2 ** 14);
  });
});

describe('TDigest', () => {
  test('keeps its clusters in order where most values are equal, whatever their sums round to', () => {
    const digest = new TDigest(100);
    for (let i = 0; i < 60_000; i++) digest.add(((i * 7919) % 400) * 0.03);
    const other = new TDigest(100);
    for (let i = 0; i < 20_000; i++) other.add(((i * 31) % 400) * 0.03);
    digest.merge(other);
    const means = [...digest.clusters().means];
    expect(means).toEqual([...means].sort((a, b) => a - b));
  });
  test('of few values is exact at its values', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1_000, max: 1_000 }), { minLength: 1, maxLength: 90 }), (list) => {
        const digest = new TDigest(100);
        for (const value of list) digest.add(value);
        const sorted = list.toSorted((a, b) => a - b);
        expect([...digest.clusters().means]).toEqual(sorted);
        expect(digest.quantile(0)).toBe(sorted[0]);
        expect(digest.quantile(1)).toBe(sorted.at(-1));
        // The middle of a value's own stretch of ranks is the value.
        for (const [i, value] of sorted.entries()) {
          expect(digest.quantile((i + 0.5) / sorted.length)).toBeCloseTo(value, 9);
        }
      }),
    );
  });

  test.each([
    ['uniform', (random: () => number) => random()],
    ['with a long tail', (random: () => number) => 1 / (1 - random()) ** 2],
    ['of few distinct values', (random: () => number) => Math.trunc(random() * 5)],
  ])('of many values %s has ranks within a hundredth, far nearer at the ends', (_, draw) => {
    const random = randomFrom(7);
    const values = Float64Array.from({ length: 200_000 }, () => draw(random));
    const digest = new TDigest(100);
    digest.addAll(values);
    const sorted = values.toSorted();
    for (const q of [0.0001, 0.001, 0.01, 0.25, 0.5, 0.75, 0.99, 0.999, 0.9999]) {
      const found = digest.quantile(q);
      const below = sorted.findIndex((value) => value >= found) / sorted.length;
      const firstAbove = sorted.findIndex((value) => value > found);
      const upTo = (firstAbove < 0 ? sorted.length : firstAbove) / sorted.length;
      const allowed = 4 * q * (1 - q) * 0.01 + 2 / sorted.length;
      expect(below - q, `${q}`).toBeLessThanOrEqual(allowed);
      expect(q - upTo, `${q}`).toBeLessThanOrEqual(allowed);
    }
  });

  test.each<[number[], [number, number][]]>([
    [
      [0, 12, 108],
      [
        [0, 16.67],
        [5, 30.56],
        [6, 33.33],
        [25, 45.06],
        [50, 60.49],
        [60, 100],
        [108, 100],
      ],
    ],
    [
      [1, 2],
      [
        [0, 0],
        [1, 25],
        [1.5, 100],
        [2, 100],
      ],
    ],
    [
      [7, 7],
      [
        [6, 0],
        [7, 100],
        [8, 100],
      ],
    ],
    [
      [5, 5, 10],
      [
        [4, 0],
        [5, 33.33],
        [6, 46.67],
        [7, 60],
        [8, 100],
      ],
    ],
    [
      [1, 5, 5, 10],
      [
        [0, 6.25],
        [1, 12.5],
        [3, 25],
        [4, 37.5],
        [5, 50],
        [6, 60],
        [7, 70],
        [8, 100],
      ],
    ],
    [
      [1, 1, 1, 2],
      [
        [0, 0],
        [1, 50],
        [1.5, 100],
      ],
    ],
    [
      [1, 1, 2, 2, 3, 3, 50],
      [
        [1, 14.29],
        [1.5, 28.57],
        [2, 42.86],
        [3, 71.43],
        [25, 84.8],
        [50, 100],
      ],
    ],
  ])('of few values %j has the ranks that a real server was recorded to give', (values, ranks) => {
    const digest = new TDigest(100);
    for (const value of values) digest.add(value);
    for (const [value, rank] of ranks)
      expect([value, 100 * digest.rank(value)]).toEqual([value, expect.closeTo(rank, 2)]);
  });

  test('gives a rank for a value as it gives a value for a rank', () => {
    const digest = new TDigest(100);
    const random = randomFrom(3);
    for (let i = 0; i < 50_000; i++) digest.add(random());
    for (const q of [0.01, 0.2, 0.5, 0.9]) expect(digest.rank(digest.quantile(q))).toBeCloseTo(q, 3);
    expect([digest.rank(-1), digest.rank(2)]).toEqual([0, 1]);
  });

  test('merged in pieces is as good', () => {
    const random = randomFrom(11);
    const values = Float64Array.from({ length: 60_000 }, random);
    const merged = new TDigest(100);
    for (let from = 0; from < values.length; from += 5_000) {
      const piece = new TDigest(100);
      piece.addAll(values.subarray(from, from + 5_000));
      merged.merge(piece);
    }
    expect(merged.count).toBe(values.length);
    for (const q of [0.01, 0.5, 0.99]) expect(Math.abs(merged.quantile(q) - q)).toBeLessThan(0.01);
    const sorted = values.toSorted();
    expect([merged.min, merged.max]).toEqual([sorted[0], sorted.at(-1)]);
  });

  test('starts small, for there may be one in every bucket', () => {
    const digest = new TDigest(100);
    digest.add(1);
    expect(digest.sizeBytes).toBeLessThan(512);
  });
});

describe('HdrSketch', () => {
  test.each([1, 2, 3, 5])('keeps %i significant digits', (digits) => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), { minLength: 1, maxLength: 100 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (list, q) => {
          const sketch = new HdrSketch(digits);
          for (const value of list) sketch.add(value);
          const sorted = list.toSorted((a, b) => a - b);
          const exact = sorted[Math.max(1, Math.floor(q * list.length + 0.5)) - 1] as number;
          expect(Math.abs(sketch.quantile(q) - exact)).toBeLessThanOrEqual(exact / 10 ** digits);
        },
      ),
    );
  });

  test('merged is the same as one over all values', () => {
    const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { maxLength: 50 });
    fc.assert(
      fc.property(values, values, (a, b) => {
        const [first, second, whole] = [new HdrSketch(3), new HdrSketch(3), new HdrSketch(3)];
        for (const value of a) first.add(value);
        for (const value of b) second.add(value);
        for (const value of [...a, ...b]) whole.add(value);
        first.merge(second);
        expect(first.entries()).toEqual(whole.entries());
        for (const q of [0, 0.3, 0.5, 0.99, 1]) expect(first.quantile(q)).toEqual(whole.quantile(q));
      }),
    );
  });

  test('shows what Elasticsearch shows', () => {
    const sketch = new HdrSketch(3);
    for (const value of [1, 51, 101, 151]) sketch.add(value);
    expect([1, 5, 25, 50, 75, 95, 99].map((percent) => sketch.quantile(percent / 100))).toEqual([
      1, 1, 1, 51.0302734375, 101.0615234375, 151.1240234375, 151.1240234375,
    ]);
  });

  test('refuses negative values', () => {
    expect(() => new HdrSketch(3).add(-1)).toThrow('Negative values are not supported');
  });
});

describe('values that come with their number', () => {
  test('make the digest that they would make one by one', () => {
    const counted = fc.uniqueArray(fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 1, max: 400 })), {
      selector: ([value]) => value,
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(counted, fc.constantFrom(20, 100), (pairs, compression) => {
        const sorted = pairs.toSorted(([a], [b]) => a - b);
        const values = Float64Array.from(sorted, ([value]) => value / 8);
        const counts = Uint32Array.from(sorted, ([, count]) => count);
        const together = new TDigest(compression);
        together.addCounted(values, counts);
        const oneByOne = new TDigest(compression);
        for (const [i, value] of values.entries()) for (let k = 0; k < (counts[i] ?? 0); k++) oneByOne.add(value);
        expect(together.count).toBe(oneByOne.count);
        expect([together.min, together.max]).toEqual([oneByOne.min, oneByOne.max]);
        const [a, b] = [together.clusters(), oneByOne.clusters()];
        expect([...a.weights]).toEqual([...b.weights]);
        for (const [i, mean] of a.means.entries()) expect(mean).toBeCloseTo(b.means[i] ?? Number.NaN, 9);
      }),
      { numRuns: 200 },
    );
  });
});

import { HyperLogLog } from '@shoal/aggregations';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberCodes } from '../format/reader/number-codes.ts';
import { createSegmentMemory } from '../memory/thread-memory.ts';

const kernels = createSegmentMemory({ bytesMax: 2 ** 24 }).kernels?.aggregations ?? null;

/** Sketches that are past being exact, so that both ways write registers. */
function filled(precision: number): HyperLogLog {
  const sketch = new HyperLogLog(precision);
  const values = Float64Array.from({ length: 2 ** precision }, (_, i) => i + 0.5);
  sketch.addDoubles(new Uint32Array(values.buffer), 0, values.length);
  expect(sketch.takesRanks).toBe(true);
  return sketch;
}

function same(a: HyperLogLog, b: HyperLogLog): void {
  const [x, y] = [a.state().registers, b.state().registers];
  expect(Buffer.compare(x ?? new Uint8Array(0), y ?? new Uint8Array(0))).toBe(0);
}

test('doubles are ranked as they are one by one', () => {
  if (kernels === null) return;
  const value = fc.oneof(
    fc.double({ noNaN: true }),
    fc.integer(),
    fc.constantFrom(0, -0, 1, Number.MAX_VALUE, Number.MIN_VALUE, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  );
  fc.assert(
    fc.property(fc.array(value, { maxLength: 70 }), fc.constantFrom(4, 7, 11), (list, precision) => {
      const values = Float64Array.from(list);
      const [ranked, plain] = [filled(precision), filled(precision)];
      expect(kernels.rankDoubles(values, values.length, precision)).toBe(true);
      ranked.addRanks(kernels.ranks, 0, values.length);
      plain.addDoubles(new Uint32Array(values.buffer), 0, values.length);
      same(ranked, plain);
    }),
    { numRuns: 60 },
  );
});

test('of millions of values, those with a hash that is empty behind the index too', () => {
  if (kernels === null) return;
  const precision = 18;
  const [ranked, plain] = [new HyperLogLog(precision), new HyperLogLog(precision)];
  const values = new Float64Array(2_048);
  const halves = new Uint32Array(values.buffer);
  for (let start = 0; start < 1_000_000; start += values.length) {
    for (let i = 0; i < values.length; i++) values[i] = (start + i) / 7;
    plain.addDoubles(halves, 0, values.length);
    if (ranked.takesRanks && kernels.rankDoubles(values, values.length, precision)) {
      ranked.addRanks(kernels.ranks, 0, values.length);
    } else ranked.addDoubles(halves, 0, values.length);
  }
  same(ranked, plain);
});

test('too many values at once are left to the plain form', () => {
  if (kernels === null) return;
  expect(kernels.rankDoubles(new Float64Array(5_000), 5_000, 14)).toBe(false);
});

const WIDTHS = [
  [new Uint8Array(4_000), null],
  [new Uint16Array(4_000), null],
  [new Uint16Array(4_000), new Uint8Array(4_000)],
  [new Uint32Array(4_000), null],
  [new Uint32Array(4_000), new Uint8Array(4_000)],
  [new Uint32Array(4_000), new Uint16Array(4_000)],
] as const;

test('codes are unpacked, counted and added up as they are one by one', () => {
  if (kernels === null) return;
  const scale = fc.record({
    base: fc.integer({ min: -1e9, max: 1e9 }),
    unit: fc.integer({ min: 1, max: 9 }),
    divisor: fc.constantFrom(1, 10, 1_000),
  });
  const many = { from: fc.integer({ min: -1, max: 1_500 }), count: fc.integer({ min: 1, max: 2_048 }) };
  fc.assert(
    fc.property(
      fc.constantFrom(...WIDTHS),
      scale,
      fc.record(many),
      fc.nat(),
      fc.boolean(),
      (width, plan, at, seed, isExact) => {
        const [lows, highs] = width;
        let state = seed;
        const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
        for (let i = 0; i < lows.length; i++) lows[i] = next() >>> 3;
        if (highs !== null) for (let i = 0; i < highs.length; i++) highs[i] = next() >>> 7;
        const codeMax = 2 ** (8 * (lows.BYTES_PER_ELEMENT + (highs?.BYTES_PER_ELEMENT ?? 0))) - 1;
        const max = (plan.base + codeMax * plan.unit) / plan.divisor;
        const codes = new NumberCodes(plan, max, lows, highs);
        const docs = Uint32Array.from({ length: at.count }, (_, i) => (at.from < 0 ? next() % 4_000 : at.from + i));
        const places = Uint32Array.from(docs, () => next() % 300);
        const room = () => ({
          counts: new Float64Array(300),
          sums: new Float64Array(300),
          lost: new Float64Array(300),
        });
        const [got, plain] = [room(), room()];
        const isAdded = kernels.addCodes(codes, { ...at, docs }, places, got, isExact);
        expect(isAdded).toBe(at.from >= 0 || codes.size <= 2 ** 32);
        if (!isAdded) return;
        docs.forEach((doc, i) => {
          const place = places[i] as number;
          const code = (lows[doc] as number) + (highs?.[doc] ?? 0) * 2 ** (8 * lows.BYTES_PER_ELEMENT);
          const before = plain.sums[place] as number;
          const corrected = codes.value(code) - (plain.lost[place] as number);
          plain.counts[place] = (plain.counts[place] as number) + 1;
          plain.sums[place] = before + corrected;
          if (!isExact) plain.lost[place] = before + corrected - before - corrected;
        });
        expect(got).toEqual(plain);
        const values = Float64Array.from(docs, (doc) => {
          return codes.value((lows[doc] as number) + (highs?.[doc] ?? 0) * 2 ** (8 * lows.BYTES_PER_ELEMENT));
        });
        expect(kernels.rankCodes(codes, { ...at, docs }, 14)).toBe(true);
        const ranks = kernels.ranks.slice(0, at.count);
        kernels.rankDoubles(values, at.count, 14);
        expect(ranks).toEqual(kernels.ranks.slice(0, at.count));
      },
    ),
    { numRuns: 80 },
  );
});

test('values are added up by number as they are one by one', () => {
  if (kernels === null) return;
  const wholes = { base: fc.integer({ min: -1e9, max: 1e9 }), unit: fc.integer({ min: 1, max: 9 }) };
  const stretch = { from: fc.integer({ min: 0, max: 1_500 }), count: fc.integer({ min: 0, max: 2_048 }) };
  fc.assert(
    fc.property(
      fc.constantFrom(...WIDTHS),
      fc.record(wholes),
      fc.record(stretch),
      fc.record({ seed: fc.nat(), size: fc.integer({ min: 1, max: 512 }), isShort: fc.boolean() }),
      ([lows, highs], plan, at, { seed, size, isShort }) => {
        let state = seed;
        const next = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0);
        for (let i = 0; i < lows.length; i++) lows[i] = next() >>> 3;
        if (highs !== null) for (let i = 0; i < highs.length; i++) highs[i] = next() >>> 7;
        const factor = 2 ** (8 * lows.BYTES_PER_ELEMENT);
        const codeMax = factor * 2 ** (8 * (highs?.BYTES_PER_ELEMENT ?? 0)) - 1;
        const codes = new NumberCodes({ ...plan, divisor: 1 }, plan.base + codeMax * plan.unit, lows, highs);
        const most = isShort ? size : Math.min(size, 256);
        const numbers = isShort ? new Uint16Array(4_000) : new Uint8Array(4_000);
        for (let i = 0; i < numbers.length; i++) numbers[i] = next() % most;
        const docs = { ...at, docs: new Uint32Array(0) };
        const isWide = highs?.BYTES_PER_ELEMENT === 2;
        expect(kernels.canSumByNumber(numbers, size, codes, docs)).toBe(!isWide);
        if (isWide) return;
        kernels.sumByNumber(numbers, size, codes, docs);
        const counts = new Uint32Array(size);
        const sums = new Float64Array(size);
        for (let doc = at.from; doc < at.from + at.count; doc++) {
          const number = numbers[doc] as number;
          counts[number] = (counts[number] as number) + 1;
          sums[number] = (sums[number] as number) + codes.value((lows[doc] as number) + (highs?.[doc] ?? 0) * factor);
        }
        expect(kernels.numberCounts.slice(0, size)).toEqual(counts);
        expect(kernels.numberSums.slice(0, size)).toEqual(sums);
      },
    ),
    { numRuns: 120 },
  );
});

test('numbers that are too many, and documents that are listed, are not added up by number', () => {
  if (kernels === null) return;
  const codes = new NumberCodes({ base: 0, unit: 1, divisor: 1 }, 255, new Uint8Array(10), null);
  const docs = { from: 0, count: 2, docs: Uint32Array.of(0, 1) };
  const numbers = new Uint8Array(10);
  expect(kernels.canSumByNumber(numbers, 512, codes, docs)).toBe(true);
  expect(kernels.canSumByNumber(numbers, 513, codes, docs)).toBe(false);
  expect(kernels.canSumByNumber(new Uint32Array(10), 9, codes, docs)).toBe(false);
  expect(kernels.canSumByNumber(numbers, 9, codes, { ...docs, from: -1 })).toBe(false);
  const inTenths = new NumberCodes({ base: 0, unit: 1, divisor: 10 }, 25, new Uint8Array(10), null);
  expect(kernels.canSumByNumber(numbers, 9, inTenths, docs)).toBe(false);
});

test('buckets that are too many are left to the plain form', () => {
  if (kernels === null) return;
  const codes = new NumberCodes({ base: 0, unit: 1, divisor: 1 }, 255, new Uint8Array(10), null);
  const buckets = { counts: new Float64Array(9_000), sums: new Float64Array(9_000), lost: new Float64Array(9_000) };
  const docs = { from: 0, count: 2, docs: Uint32Array.of(0, 1) };
  expect(kernels.addCodes(codes, docs, Uint32Array.of(3, 8_000), buckets, true)).toBe(false);
  expect(buckets.counts[3]).toBe(0);
});

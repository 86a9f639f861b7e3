/** Comparisons by halves agree with those of bigints. */
import { wideIntegers } from '@shoal/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WideValues } from './wide-values.ts';

const EDGES = [
  -(2n ** 63n),
  -(2n ** 53n),
  -(2n ** 32n),
  -1n,
  0n,
  1n,
  2n ** 31n,
  2n ** 32n,
  2n ** 53n + 1n,
  2n ** 63n - 1n,
];
const UNSIGNED_EDGES = [0n, 1n, 2n ** 31n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 63n, 2n ** 63n + 1n, 2n ** 64n - 1n];
const signed = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.constantFrom(...EDGES));
const unsigned = fc.oneof(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), fc.constantFrom(...UNSIGNED_EDGES));
const values = fc.oneof(fc.array(signed, { minLength: 1 }), fc.array(unsigned, { minLength: 1 }));
const bound = fc.oneof(
  fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }),
  signed,
  fc.constantFrom(Number.NEGATIVE_INFINITY, -1.5, 0, 2 ** 60, Number.POSITIVE_INFINITY),
);

describe('wide values', () => {
  test('are within bounds as bigints are, also beyond their own range', () => {
    fc.assert(
      fc.property(values, bound, bound, (list, from, to) => {
        const wide = new WideValues(wideIntegers(list));
        const bounds = wide.bounds(from, to);
        const found = list.map((_, index) => bounds !== null && wide.isWithin(index, bounds));
        expect(found).toEqual(list.map((value) => value >= from && value <= to));
      }),
    );
  });

  test('have the rank of their first equal, and others one between those of their neighbours', () => {
    fc.assert(
      fc.property(values, fc.oneof(signed, unsigned), (list, other) => {
        const wide = new WideValues(wideIntegers(list));
        const below = (value: bigint): number => list.filter((one) => one < value).length;
        for (const [index, value] of list.entries()) {
          expect(wide.rankAt(index)).toBe(below(value));
          expect(wide.rankOf(value)).toBe(below(value));
        }
        expect(wide.rankOf(other)).toBe(list.includes(other) ? below(other) : below(other) - 0.5);
      }),
    );
  });
});

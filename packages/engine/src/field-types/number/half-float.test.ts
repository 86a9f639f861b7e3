import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { halfAbove, halfBelow, roundHalf } from './half-float.ts';

/** All finite values in order, from their 16 bits. */
const VALUES: readonly number[] = Array.from({ length: 31 * 1024 }, (_, bits) => {
  const exponent = bits >> 10;
  const fraction = bits & 0x3ff;
  return exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15);
}).flatMap((value) => (value === 0 ? [0] : [value, -value]));
const ORDERED = VALUES.toSorted((a, b) => a - b);

/** Index of the first value that is not below. */
function indexFrom(number: number): number {
  let [low, high] = [0, ORDERED.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ORDERED[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

const NUMBERS = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true, min: -66_000, max: 66_000 }),
  fc.constantFrom(...VALUES),
  fc.integer({ min: 0, max: ORDERED.length - 2 }).map((i) => ((ORDERED[i] ?? 0) + (ORDERED[i + 1] ?? 0)) / 2),
);

describe('numbers of 16 bits', () => {
  test('are the nearest, the even one of two', () => {
    fc.assert(
      fc.property(NUMBERS, (number) => {
        if (Math.abs(number) >= 65_520) {
          expect(roundHalf(number)).toBe(number > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
          return;
        }
        const at = indexFrom(number);
        const around = [ORDERED[at - 1], ORDERED[at]].filter((value) => value !== undefined);
        const distance = Math.min(...around.map((value) => Math.abs(value - number)));
        const nearest = around.filter((value) => Math.abs(value - number) === distance);
        const even = nearest.filter((value) => (ORDERED.indexOf(value) - ORDERED.indexOf(0)) % 2 === 0);
        expect(roundHalf(number) + 0).toBe((nearest.length === 1 ? nearest : even)[0]);
      }),
    );
  });
  test('have the neighbours that a list of all has', () => {
    fc.assert(
      fc.property(NUMBERS, (number) => {
        const at = indexFrom(number);
        const isOne = ORDERED[at] === number;
        expect(halfAbove(number) + 0).toBe(ORDERED[isOne ? at + 1 : at] ?? Number.POSITIVE_INFINITY);
        expect(halfBelow(number) + 0).toBe(ORDERED[at - 1] ?? Number.NEGATIVE_INFINITY);
      }),
    );
  });
});

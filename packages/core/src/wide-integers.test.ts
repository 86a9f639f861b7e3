import { describe, expect, test } from 'vitest';
import { fitWideIntegers, wideIntegers } from './wide-integers.ts';

describe('integers of 64 bits', () => {
  test('are signed as long as all values are', () => {
    expect(wideIntegers([-(2n ** 63n), 2n ** 63n - 1n])).toEqual(BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n));
  });

  test('are unsigned when a value is beyond the signed range', () => {
    expect(wideIntegers([0n, 2n ** 64n - 1n])).toEqual(BigUint64Array.of(0n, 2n ** 64n - 1n));
  });

  test('do not fit one array when negative values stand beside values beyond 2^63', () => {
    expect(fitWideIntegers([-1n, 2n ** 63n])).toBe(false);
    expect(() => wideIntegers([-1n, 2n ** 63n])).toThrow('-1 among integers up to 2^64');
  });
});

/** Numbers of buckets, where the numbers of users are the keys. */
import { describe, expect, test } from 'vitest';
import { BucketIds } from './bucket-ids.ts';

const COUNT = 3_000;

/** Steps beyond the first of the look-ups of all keys. */
function stepsOf(keys: readonly number[]): number {
  const ids = new BucketIds();
  for (const key of keys) ids.idOf(0, key);
  expect(ids.count).toBe(keys.length);
  const { slots } = ids as unknown as { slots: Uint32Array };
  // A run of taken slots is gone through by those that come to its beginning: its length squared bounds their steps.
  let steps = 0;
  let run = 0;
  for (const slot of slots) {
    run = slot === 0 ? 0 : run + 1;
    steps += run === 0 ? 0 : run - 1;
  }
  return steps;
}

/** The double of two words. */
function double(low: number, high: number): number {
  const halves = Uint32Array.of(low, high);
  return new Float64Array(halves.buffer)[0] as number;
}

describe('keys of buckets', () => {
  test('chosen to have one hash under public factors are spread', () => {
    const keys: number[] = [];
    for (let low = 1; keys.length < COUNT; low++) {
      const spread = Math.imul(low, 0x85eb_ca6b);
      const high = (spread ^ (spread >>> 15) ^ 0x1234_5678) >>> 0;
      const key = double(low, high);
      if (Number.isFinite(key)) keys.push(key);
    }
    expect(stepsOf(keys)).toBeLessThan(COUNT * 20);
  });

  test.each([
    ['whole numbers', (n: number) => n],
    ['multiples of a power of two', (n: number) => n * 2 ** 33],
    ['days', (n: number) => n * 86_400_000],
    ['fractions', (n: number) => n / 1_000],
  ])('that are %s are spread', (_, keyOf) => {
    expect(stepsOf(Array.from({ length: COUNT }, (_key, n) => keyOf(n)))).toBeLessThan(COUNT * 20);
  });
});

import { describe, expect, test } from 'vitest';
import { seededRandom } from './seeded-random.ts';

describe('random numbers from a seed', () => {
  test('are the same for the same seed, and others for another', () => {
    const draw = (seed: number): number[] => {
      const random = seededRandom(seed);
      return Array.from({ length: 5 }, () => random.u32());
    };
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  test('do not depend, in a fork, on how much was drawn before', () => {
    const early = seededRandom(7).fork('disk');
    const parent = seededRandom(7);
    parent.bytes(100);
    expect(parent.fork('disk').u32()).toBe(early.u32());
  });

  test('below n reach every value about equally often', () => {
    const random = seededRandom('even');
    const counts = [0, 0, 0];
    for (let count = 0; count < 3_000; count++) counts[random.below(3)]! += 1;
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(120);
  });
});

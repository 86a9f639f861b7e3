import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageCandidates } from './page-candidates.ts';

const COUNT = 5_000;
const key = fc.oneof(
  fc.integer({ min: 0, max: 200 }),
  fc.double({ noNaN: true }),
  fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 60, -0),
);
const columns = fc
  .tuple(fc.array(key, { minLength: 1, maxLength: 500 }), fc.integer({ min: 1, max: 999 }), fc.boolean())
  .map(([some, step, isSingle]) => {
    const all = Array.from({ length: COUNT }, (_, i) => some[(i * step) % some.length] ?? 0);
    return isSingle ? Float32Array.from(all) : Float64Array.from(all);
  });

test('are all that can stand there, and those before are as many as it says', () => {
  fc.assert(
    fc.property(columns, fc.boolean(), fc.nat(COUNT - 11), (keys, isDescending, from) => {
      const steps = pageCandidates(keys, isDescending, from, from + 10);
      let step = steps.next();
      while (!step.done) step = steps.next();
      if (step.value === null) return;
      const { entries, skipped } = step.value;
      const sign = isDescending ? -1 : 1;
      const order = [...keys.keys()].sort((a, b) => {
        const [x, y] = [sign * keys[a]!, sign * keys[b]!];
        return x < y ? -1 : x > y ? 1 : a - b;
      });
      expect(new Set(order.slice(skipped, skipped + entries.length))).toEqual(new Set(entries));
      expect(skipped <= from && from + 10 <= skipped + entries.length).toBe(true);
      expect([...entries]).toEqual([...entries].sort((a, b) => a - b));
    }),
    { numRuns: 200 },
  );
});

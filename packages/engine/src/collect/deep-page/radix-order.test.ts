import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type KeyColumn, orderWords } from './order-words.ts';
import { type Steps, selectedOrder, sortedOrder } from './radix-order.ts';

function done<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const NUMBERS: readonly fc.Arbitrary<number>[] = [
  fc.integer({ min: 0, max: 49 }),
  fc.constant(7),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.integer({ min: -3, max: 3 }).map((n) => n * 2 ** 40),
  fc.constantFrom(2 ** 60, 2 ** 60 + 2 ** 9, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  fc.float({ noNaN: true }),
  fc.double({ noNaN: true }),
  fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)),
  fc.float({ noNaN: true, min: 0, max: 30 }),
  fc.constantFrom(0, -0, 1),
];

/** One or two keys of up to 2,000 entries: more than are sorted by comparing. */
const columns = fc
  .tuple(
    fc.integer({ min: 0, max: 2_000 }),
    fc.array(fc.constantFrom(...NUMBERS.keys()), { minLength: 1, maxLength: 2 }),
  )
  .chain(([count, kinds]) =>
    fc.tuple(
      ...kinds.map((kind) => {
        const numbers = NUMBERS[kind] as fc.Arbitrary<number>;
        // A few random values, spread over the entries: what is tested is the order, and values cost time.
        const values = fc.array(numbers, { minLength: 1, maxLength: 400 });
        return fc
          .tuple(values, fc.integer({ min: 1, max: 1_000 }), fc.boolean())
          .map(([some, step, isSingle]): KeyColumn => {
            const all = Array.from({ length: count }, (_, i) => some[(i * step) % some.length] ?? 0);
            return isSingle ? Float32Array.from(all) : Float64Array.from(all);
          });
      }),
    ),
  );

/** Order by a comparing sort: the reference. */
function expected(keys: readonly KeyColumn[]): number[] {
  const count = keys[0]?.length ?? 0;
  return Array.from({ length: count }, (_, i) => i).sort((a, b) => {
    for (const column of keys) {
      const x = column[a] as number;
      const y = column[b] as number;
      if (x !== y) return x < y ? -1 : 1;
    }
    return a - b;
  });
}

describe('the order of entries by digits', () => {
  test('is that of a comparing sort', () => {
    fc.assert(
      fc.property(columns, (keys) => {
        expect([...done(sortedOrder(orderWords(keys), keys[0]?.length ?? 0))]).toEqual(expected(keys));
      }),
      { numRuns: 200 },
    );
  });

  test('is selected from any place on', () => {
    const place = fc.double({ min: 0, max: 1.1, noNaN: true });
    fc.assert(
      fc.property(columns, place, fc.integer({ min: 0, max: 400 }), (keys, at, size) => {
        const count = keys[0]?.length ?? 0;
        const from = Math.floor(at * count);
        const found = done(selectedOrder(orderWords(keys), count, from, from + size));
        expect([...found]).toEqual(expected(keys).slice(from, from + size));
      }),
      { numRuns: 300 },
    );
  });

  test('tells an infinite key from integers of which the neighbour is not a number', () => {
    const huge = 2 ** 60;
    const keys = Float64Array.of(Number.POSITIVE_INFINITY, huge, Number.NEGATIVE_INFINITY, huge);
    expect([...done(sortedOrder(orderWords([keys]), keys.length))]).toEqual([2, 1, 3, 0]);
  });

  test('needs no words where all keys are equal', () => {
    const words = orderWords([new Float64Array(1_000).fill(3), new Float32Array(1_000)]);
    expect(words).toEqual([]);
    expect([...done(selectedOrder(words, 1_000, 500, 503))]).toEqual([500, 501, 502]);
  });
});

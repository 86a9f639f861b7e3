import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packedOrder } from './packed-order.ts';

describe('order of packed keys', () => {
  test('is that of key, then document', () => {
    const key = fc.oneof(
      fc.integer(),
      fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      fc.integer({ min: -3, max: 3 }),
    );
    const entries = fc.uniqueArray(fc.tuple(fc.nat(200_000), key), { selector: ([doc]) => doc });
    fc.assert(
      fc.property(entries, (pairs) => {
        const docs = Uint32Array.from(pairs, ([doc]) => doc);
        const keys = Float64Array.from(pairs, ([, value]) => value);
        const order = packedOrder({ docs, keys }, pairs.length);
        const expected = [...pairs].sort(([a, x], [b, y]) => (x < y ? -1 : x > y ? 1 : a - b));
        expect(order && Array.from(order.docs, (doc, i) => [doc, order.keys[i]])).toEqual(
          expected.map(([doc, value]) => [doc, value === 0 ? 0 : value]),
        );
      }),
    );
  });

  test('is left to others where keys are no integers, or too far apart', () => {
    const docs = Uint32Array.of(1, 2);
    expect(packedOrder({ docs, keys: Float64Array.of(0.5, 1) }, 2)).toBeNull();
    expect(packedOrder({ docs, keys: Float64Array.of(-(2 ** 52), 2 ** 52) }, 2)).toBeNull();
    expect(packedOrder({ docs, keys: Float64Array.of(Number.NaN, 1) }, 2)).toBeNull();
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ByteSlab } from './byte-slab.ts';

describe('copies of byte strings', () => {
  test('stay what they were, whatever is copied or written afterwards', () => {
    const strings = fc.array(fc.uint8Array({ maxLength: 6_000, size: 'max' }), { maxLength: 40 });
    fc.assert(
      fc.property(strings, (list) => {
        const slab = new ByteSlab();
        const wanted = list.map((bytes) => [...bytes]);
        const copies = list.map((bytes) => slab.copy(bytes));
        for (const bytes of list) bytes.fill(7);
        expect(copies.map((copy) => [...copy])).toEqual(wanted);
      }),
      { numRuns: 40 },
    );
  });

  test('of which one is written to, the others are not', () => {
    const slab = new ByteSlab();
    const [first, second] = [slab.copy(Uint8Array.of(1, 2)), slab.copy(Uint8Array.of(3, 4))];
    first.fill(9);
    expect([...second]).toEqual([3, 4]);
  });
});

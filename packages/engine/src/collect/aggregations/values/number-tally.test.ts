import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DocBatch } from '../collector/doc-batch.ts';
import { type FlatNumbers, NumberTally } from './number-tally.ts';

const WIDTHS = { bytes: Uint8Array, shorts: Uint16Array, words: Uint32Array };
/** With and without lanes. */
const SIZES = [1, 2, 200, 2_048, 2_049, 50_000];

function plainCounts(numbers: Iterable<number>, size: number): number[] {
  const counts = new Array<number>(size).fill(0);
  for (const number of numbers) counts[number] = (counts[number] as number) + 1;
  return counts;
}

function batchesOf(docs: readonly number[], isListed: boolean, step: number): DocBatch[] {
  const batches: DocBatch[] = [];
  for (let at = 0; at < docs.length; at += step) {
    const batch = new DocBatch();
    const part = docs.slice(at, at + step);
    if (isListed) batch.setList(Uint32Array.from(part), part.length);
    else batch.setStretch(part[0] as number, (part[0] as number) + part.length);
    batches.push(batch);
  }
  return batches;
}

const anyFlat = fc
  .tuple(fc.constantFrom(...SIZES), fc.constantFrom(...Object.values(WIDTHS)), fc.integer({ min: 0, max: 5_000 }))
  .chain(([size, Width, count]) => {
    const most = Math.min(size, 256 ** Width.BYTES_PER_ELEMENT) - 1;
    // Mostly the same number, so that neighbours are alike.
    const number = fc.oneof({ weight: 3, arbitrary: fc.constant(most) }, fc.integer({ min: 0, max: most }));
    return fc.tuple(
      fc.constant(size),
      fc
        .array(number, { minLength: Math.min(count, 600), maxLength: 600 })
        .map((list): FlatNumbers => Width.from(list)),
    );
  });

describe('a tally', () => {
  test('counts the numbers of documents, listed or side by side, as one by one', () => {
    fc.assert(
      fc.property(anyFlat, fc.boolean(), fc.integer({ min: 1, max: 300 }), ([size, flat], isListed, step) => {
        const tally = new NumberTally(size);
        const docs = Array.from(flat, (_, doc) => doc).filter((doc) => !isListed || doc % 3 !== 1);
        for (const batch of batchesOf(docs, isListed, step)) tally.addFlat(flat, batch);
        const expected = plainCounts(
          docs.map((doc) => flat[doc] as number),
          size,
        );
        expect([...tally.finish()]).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('counts numbers that were read, and what others counted, and is empty once drained', () => {
    fc.assert(
      fc.property(anyFlat, ([size, flat]) => {
        const tally = new NumberTally(size);
        const values = Uint32Array.from(flat);
        tally.add({ values, length: values.length });
        tally.counts[0] = (tally.counts[0] as number) + 7;
        const expected = plainCounts(values, size);
        expected[0] = (expected[0] as number) + 7;
        const drained = new Array<number>(size).fill(0);
        tally.drain((number, count) => (drained[number] = count));
        expect(drained).toEqual(expected);
        expect(tally.finish().every((count) => count === 0)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

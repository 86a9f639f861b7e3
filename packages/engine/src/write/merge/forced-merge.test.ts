import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseExpungedSegment, chooseForcedMerge } from './forced-merge.ts';
import type { MergeCandidate } from './merge-policy.ts';

const candidate = fc
  .record({ sizeBytes: fc.integer({ min: 1, max: 1_000 }), docCount: fc.integer({ min: 1, max: 100 }) })
  .chain(({ sizeBytes, docCount }) =>
    fc
      .integer({ min: 1, max: docCount })
      .map((liveCount) => ({ sizeBytes, docCount, liveCount, heldBytes: docCount, sectionBytes: 0 })),
  );

/** Merges until nothing is left to do. */
function merged(
  start: readonly MergeCandidate[],
  segmentsMax: number,
  heldBytesMax: number,
): readonly MergeCandidate[] {
  let segments = start;
  for (let rounds = 0; rounds <= start.length; rounds++) {
    const chosen = chooseForcedMerge(segments, segmentsMax, heldBytesMax);
    if (chosen.length === 0) return segments;
    const inputs = chosen.map((i) => segments[i] as MergeCandidate);
    const liveCount = inputs.reduce((n, input) => n + input.liveCount, 0);
    const sizeBytes = inputs.reduce((n, input) => n + (input.sizeBytes * input.liveCount) / input.docCount, 0);
    const one = { sizeBytes, docCount: liveCount, liveCount, heldBytes: liveCount, sectionBytes: 0 };
    segments = [...segments.filter((_, i) => !chosen.includes(i)), one];
  }
  throw new Error(`more than ${start.length} merges`);
}

describe('a forced merge', () => {
  test('ends with no more segments than asked for, however many there were', () => {
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 20 }), fc.integer({ min: 1, max: 8 }), (segments, max) => {
        expect(merged(segments, max, Number.POSITIVE_INFINITY).length).toBe(Math.min(segments.length, max));
      }),
    );
  });

  test('holds no more than memory allows, and joins all that fits', () => {
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 20 }), fc.integer({ min: 2, max: 800 }), (segments, heldMax) => {
        const left = merged(segments, 1, heldMax);
        const [first, second] = [...left].sort(
          (a, b) => (a.sizeBytes * a.liveCount) / a.docCount - (b.sizeBytes * b.liveCount) / b.docCount,
        );
        if (first !== undefined && second !== undefined)
          expect(first.heldBytes + second.heldBytes).toBeGreaterThan(heldMax);
      }),
    );
  });

  test('joins at most thirty at a time, and nothing whose sections offsets of 32 bits do not reach', () => {
    const one = { sizeBytes: 10, docCount: 10, liveCount: 10, heldBytes: 0, sectionBytes: 0 };
    const end = Number.POSITIVE_INFINITY;
    expect(
      chooseForcedMerge(
        Array.from({ length: 100 }, () => one),
        1,
        end,
      ),
    ).toHaveLength(30);
    const long = { ...one, sectionBytes: 2 ** 30 };
    expect(chooseForcedMerge([long, long, long, long, long], 1, end)).toHaveLength(3);
  });

  test('down to one segment also drops the deleted documents of the only one', () => {
    const half = { sizeBytes: 10, docCount: 10, liveCount: 5, heldBytes: 0, sectionBytes: 0 };
    expect(chooseForcedMerge([half], 1, 1_000)).toEqual([0]);
    expect(chooseForcedMerge([half], 2, 1_000)).toEqual([]);
    expect(chooseForcedMerge([{ ...half, liveCount: 10 }], 1, 1_000)).toEqual([]);
  });

  test('expunges only segments with more deleted documents than may stay', () => {
    const of = (liveCount: number): MergeCandidate => ({
      sizeBytes: 10,
      docCount: 100,
      liveCount,
      heldBytes: 0,
      sectionBytes: 0,
    });
    expect(chooseExpungedSegment([of(100), of(90), of(89)], 10)).toBe(2);
    expect(chooseExpungedSegment([of(100), of(90)], 10)).toBe(-1);
    expect(chooseExpungedSegment([of(100), of(99)], 0)).toBe(1);
    expect(chooseExpungedSegment([of(1)], 100)).toBe(-1);
  });
});

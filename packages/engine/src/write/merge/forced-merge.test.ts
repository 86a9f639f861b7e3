import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseExpungedSegment, chooseForcedMerge } from './forced-merge.ts';
import type { MergeCandidate } from './merge-policy.ts';

const candidate = fc
  .record({ sizeBytes: fc.integer({ min: 1, max: 1_000 }), docCount: fc.integer({ min: 1, max: 100 }) })
  .chain(({ sizeBytes, docCount }) =>
    fc.integer({ min: 1, max: docCount }).map((liveCount) => ({ sizeBytes, docCount, liveCount })),
  );

/** Merges until nothing is left to do. */
function merged(start: readonly MergeCandidate[], segmentsMax: number, bytesMax: number): readonly MergeCandidate[] {
  let segments = start;
  for (let rounds = 0; rounds <= start.length; rounds++) {
    const chosen = chooseForcedMerge(segments, segmentsMax, bytesMax);
    if (chosen.length === 0) return segments;
    const inputs = chosen.map((i) => segments[i] as MergeCandidate);
    const liveCount = inputs.reduce((n, input) => n + input.liveCount, 0);
    const sizeBytes = inputs.reduce((n, input) => n + (input.sizeBytes * input.liveCount) / input.docCount, 0);
    segments = [...segments.filter((_, i) => !chosen.includes(i)), { sizeBytes, docCount: liveCount, liveCount }];
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

  test('makes nothing larger than memory allows, and joins all that fits', () => {
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 20 }), fc.integer({ min: 1, max: 2_000 }), (segments, bytesMax) => {
        const left = merged(segments, 1, bytesMax);
        const sizes = left.map(({ sizeBytes }) => sizeBytes).sort((a, b) => a - b);
        const [first = 0, second = 0] = sizes;
        if (left.length > 1) expect(first + second).toBeGreaterThan(bytesMax);
        if (left.length < segments.length) {
          expect(Math.min(...sizes)).toBeLessThanOrEqual(Math.max(bytesMax, ...segments.map((s) => s.sizeBytes)));
        }
      }),
    );
  });

  test('down to one segment also drops the deleted documents of the only one', () => {
    const half = { sizeBytes: 10, docCount: 10, liveCount: 5 };
    expect(chooseForcedMerge([half], 1, 1_000)).toEqual([0]);
    expect(chooseForcedMerge([half], 2, 1_000)).toEqual([]);
    expect(chooseForcedMerge([{ ...half, liveCount: 10 }], 1, 1_000)).toEqual([]);
  });

  test('expunges only segments with more than a tenth of deleted documents', () => {
    const of = (liveCount: number): MergeCandidate => ({ sizeBytes: 10, docCount: 100, liveCount });
    expect(chooseExpungedSegment([of(100), of(90), of(89)])).toBe(2);
    expect(chooseExpungedSegment([of(100), of(90)])).toBe(-1);
  });
});

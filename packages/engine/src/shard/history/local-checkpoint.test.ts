import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LocalCheckpoint } from './local-checkpoint.ts';

/** The rule, without any thought of speed. */
function checkpointOf(start: number, marked: ReadonlySet<number>): number {
  let checkpoint = start;
  while (marked.has(checkpoint + 1)) checkpoint++;
  return checkpoint;
}

describe('a local checkpoint', () => {
  test('is the highest number below which none is missing, in whatever order they come', () => {
    const range = fc.tuple(fc.nat(3_000), fc.nat(1_500)).map(([first, more]) => [first, first + more] as const);
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.nat(40).map((seqNo) => [seqNo, seqNo] as const) },
      { weight: 2, arbitrary: fc.nat(3_000).map((seqNo) => [seqNo, seqNo] as const) },
      { weight: 1, arbitrary: range },
    );
    fc.assert(
      fc.property(fc.integer({ min: -1, max: 30 }), fc.array(step, { maxLength: 60 }), (start, steps) => {
        const local = new LocalCheckpoint(start);
        const marked = new Set<number>();
        for (const [i, [first, last]] of steps.entries()) {
          if (first === last) local.mark(first);
          else local.markRange(first, last);
          for (let seqNo = first; seqNo <= last; seqNo++) marked.add(seqNo);
          expect(local.checkpoint).toBe(checkpointOf(start, marked));
          expect(local.max).toBe(Math.max(start, ...steps.slice(0, i + 1).map(([, end]) => end)));
        }
        const all = Array.from({ length: 4_700 }, (_, seqNo) => seqNo);
        expect(all.filter((seqNo) => local.has(seqNo))).toEqual(
          all.filter((seqNo) => seqNo <= start || marked.has(seqNo)),
        );
      }),
    );
  });

  test('reaches the highest number once its gaps are filled, lowest first', () => {
    const local = new LocalCheckpoint(1, 4);
    for (const seqNo of [3, 7, 2]) local.mark(seqNo);
    const filled: number[] = [];
    for (const gap of local.gaps()) {
      filled.push(gap);
      local.mark(gap);
    }
    expect(filled).toEqual([4, 5, 6]);
    expect([local.checkpoint, local.max]).toEqual([7, 7]);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addSeqNos,
  hasSeqNo,
  hasSeqNos,
  highestSeqNo,
  missingSeqNos,
  rangesOf,
  removeRange,
  type SeqNoSet,
  seqNosAbove,
  seqNosThrough,
} from './seq-no-ranges.ts';

const NUMBERS = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 60 });

const numbersOf = (set: SeqNoSet): number[] =>
  Array.from({ length: 70 }, (_, at) => at).filter((at) => hasSeqNo(set, at));

function setOf(numbers: readonly number[]): SeqNoSet {
  return numbers.reduce((set, it) => addSeqNos(set, [{ first: it, last: it }]), seqNosThrough(-1));
}

describe('sequence numbers as ranges', () => {
  test('hold what was added, in whatever order, and the checkpoint ends the unbroken beginning', () => {
    fc.assert(
      fc.property(NUMBERS, (numbers) => {
        const set = setOf(numbers);
        const sorted = [...numbers].sort((a, b) => a - b);
        expect(numbersOf(set)).toEqual(sorted);
        let checkpoint = -1;
        while (numbers.includes(checkpoint + 1)) checkpoint += 1;
        expect(set.checkpoint).toBe(checkpoint);
        expect(highestSeqNo(set)).toBe(sorted.at(-1) ?? -1);
        expect(hasSeqNos(set, rangesOf(sorted))).toBe(true);
        expect(set).toEqual(addSeqNos(seqNosThrough(-1), rangesOf(sorted)));
      }),
    );
  });

  test('and what is missing make up everything', () => {
    fc.assert(
      fc.property(NUMBERS, fc.integer({ min: -1, max: 65 }), (numbers, last) => {
        const set = setOf(numbers);
        const missing = missingSeqNos(set, last);
        expect(missing.every(({ first }) => !hasSeqNo(set, first))).toBe(true);
        const filled = addSeqNos(set, missing);
        expect(filled.checkpoint).toBeGreaterThanOrEqual(last);
      }),
    );
  });

  test('above a number are those that are higher', () => {
    fc.assert(
      fc.property(NUMBERS, fc.integer({ min: -1, max: 65 }), (numbers, last) => {
        const sorted = [...numbers].sort((a, b) => a - b);
        expect(seqNosAbove(setOf(numbers), last)).toEqual(rangesOf(sorted.filter((it) => it > last)));
      }),
    );
  });

  test('lose exactly what is removed', () => {
    fc.assert(
      fc.property(NUMBERS, fc.nat(60), fc.nat(20), (numbers, first, more) => {
        const sorted = [...numbers].sort((a, b) => a - b);
        const last = first + more;
        const rest = sorted.filter((it) => it < first || it > last);
        expect(removeRange(rangesOf(sorted), { first, last })).toEqual(rangesOf(rest));
      }),
    );
  });
});

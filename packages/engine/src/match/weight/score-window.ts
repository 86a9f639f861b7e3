/**
 * Sums of scores for a range of documents, filled clause by clause instead of document by document.
 */
import { assert } from '@shoal/core';
import { BATCH_SIZE } from './scorer.ts';

export class ScoreWindow {
  /** Document of slot 0. */
  base = 0;
  /** In double precision: exact in any order of the clauses for all that float32 can tell. */
  readonly sums: Float64Array = new Float64Array(BATCH_SIZE);
  /** Bit set: some clause matches. */
  readonly marks: Uint32Array = new Uint32Array(BATCH_SIZE >> 5);

  /** Hands the matches on, ascending, and empties the window. */
  flush(docs: Uint32Array, scores: Float32Array): number {
    const { marks, sums, base } = this;
    assert(docs.length >= BATCH_SIZE, `room for ${docs.length} documents of a window of ${BATCH_SIZE}`);
    let count = 0;
    for (let w = 0; w < marks.length; w++) {
      let word = marks[w] as number;
      if (word === 0) continue;
      marks[w] = 0;
      while (word !== 0) {
        const at = (w << 5) + 31 - Math.clz32(word & -word);
        word &= word - 1;
        docs[count] = base + at;
        scores[count++] = sums[at] as number;
        sums[at] = 0;
      }
    }
    return count;
  }
}

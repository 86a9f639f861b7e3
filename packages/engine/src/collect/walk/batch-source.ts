/**
 * Matches of a scorer in batches, for whoever reads all of them: each batch takes about a slice of time at most, whether
 * there are matches or not.
 */
import { assert } from '@shoal/core';
import { NO_MORE_DOCS } from '../../format/reader/segment-reader.ts';
import type { Candidates } from '../../match/weight/doc-iterator.ts';
import { nextOneByOne } from '../../match/weight/one-by-one.ts';
import type { Scorer } from '../../match/weight/scorer.ts';
import type { WorkPacer } from '../../pacing/work-pacer.ts';

/** Matches of slow scorers in one batch. */
const ONE_BY_ONE_BATCH = 512;
/** Candidates tested between two looks at the clock. */
const TESTS_PER_LOOK = 32;

export interface BatchSource {
  /** Next batch, with the contract of a scorer's `nextBatch`. */
  nextBatch(docs: Uint32Array, scores: Float32Array, isScored: boolean): number;
  /** Left out: an empty batch is the last one. */
  readonly isDone?: boolean;
}

export function batchesOf(scorer: Scorer, pacer: WorkPacer): BatchSource {
  assert(scorer.doc === -1, 'a scorer that has started already');
  const { candidates } = scorer;
  if (candidates) return new TestedBatches(scorer, candidates, pacer);
  if (scorer.nextBatch) return scorer as Scorer & BatchSource;
  return { nextBatch: (docs, scores, isScored) => nextOneByOne(scorer, { docs, scores, isScored }, ONE_BY_ONE_BATCH) };
}

/** A batch ends, with matches or without, when its slice of time is over. */
class TestedBatches implements BatchSource {
  isDone = false;
  private readonly scorer: Scorer;
  private readonly candidates: Candidates;
  private readonly pacer: WorkPacer;

  constructor(scorer: Scorer, candidates: Candidates, pacer: WorkPacer) {
    this.scorer = scorer;
    this.candidates = candidates;
    this.pacer = pacer;
  }

  nextBatch(docs: Uint32Array, scores: Float32Array, isScored: boolean): number {
    const { scorer, candidates, pacer } = this;
    const score = isScored ? scorer.constantScore : 0;
    if (candidates.keep !== undefined && score !== undefined) {
      scores.fill(score, 0, ONE_BY_ONE_BATCH);
      return candidates.keep(docs, this.nextCandidates(docs));
    }
    let count = 0;
    for (let tested = 1; !this.isDone; tested++) {
      const doc = candidates.docs.next();
      if (doc === NO_MORE_DOCS) this.isDone = true;
      else if (candidates.matches()) {
        docs[count] = doc;
        if (isScored) scores[count] = scorer.score();
        if (++count === ONE_BY_ONE_BATCH) break;
      }
      if (tested % TESTS_PER_LOOK === 0 && pacer.isDue) break;
    }
    return count;
  }

  private nextCandidates(into: Uint32Array): number {
    const { docs } = this.candidates;
    let count = 0;
    while (count < ONE_BY_ONE_BATCH) {
      const doc = docs.next();
      if (doc === NO_MORE_DOCS) {
        this.isDone = true;
        break;
      }
      into[count++] = doc;
    }
    return count;
  }
}

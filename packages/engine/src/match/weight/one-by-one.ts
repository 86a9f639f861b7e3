/**
 * Batches of a scorer that finds one document at a time.
 */
import { NO_MORE_DOCS } from '../../format/reader/segment-reader.ts';
import type { Scorer } from './scorer.ts';

export interface BatchRoom {
  readonly docs: Uint32Array;
  readonly scores: Float32Array;
  readonly isScored: boolean;
}

/**
 * Next matches with the contract of `nextBatch`, for a scorer that has none of its own.
 *
 * @param countMax matches of a batch, at least 1 and at most the room there is
 */
export function nextOneByOne(scorer: Scorer, { docs, scores, isScored }: BatchRoom, countMax: number): number {
  if (scorer.doc === NO_MORE_DOCS) return 0;
  let count = 0;
  for (let doc = scorer.next(); doc !== NO_MORE_DOCS; doc = scorer.next()) {
    docs[count] = doc;
    if (isScored) scores[count] = scorer.score();
    if (++count === countMax) break;
  }
  return count;
}

/**
 * How queries run: a weight knows a query's statistics over the shard, a scorer walks one segment's matches in doc order.
 *
 * Deleted documents are not left out by scorers: the collector does it, once. Scores are float32 values, as Lucene's are,
 * so that they agree with Elasticsearch's to the last digits that clients see.
 */
import type { DocIterator } from './doc-iterator.ts';

export interface Scorer extends DocIterator {
  /** Score of the current document; never negative. */
  score(): number;
  /** The score of every match, where that is known to be the same. */
  readonly constantScore?: number;
  /**
   * The next matches at once, ascending, for whoever reads them all: at most `BATCH_SIZE`, 0 at the end. Scores are only
   * written when `isScored`. Not to be mixed with the other calls. Left out where one document at a time is as fast.
   */
  nextBatch?(docs: Uint32Array, scores: Float32Array, isScored: boolean): number;
}

/** Matches handed on at once: enough that a call a batch costs nothing, few enough to stay in the processor's cache. */
export const BATCH_SIZE = 2_048;

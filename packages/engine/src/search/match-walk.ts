/**
 * Walks the matches of a query over the segments of a shard: leaves out deleted documents, counts, and hands the rest on.
 */
import { assert } from '@shoal/core';
import { NO_MORE_DOCS, type SegmentView } from '../segment/segment-reader.ts';
import type { Scorer } from './scorer.ts';
import type { WorkPacer } from './work-pacer.ts';

/** Documents between two looks at the clock: a fraction of a millisecond for most queries. */
const DOCS_BETWEEN_CHECKS = 2_048;

export interface WalkLimits {
  /** Matches with a lower score are none; null: no limit. */
  readonly minScore: number | null;
  /** Matches after which the walk ends; 0: no limit. */
  readonly terminateAfter: number;
  readonly isScored: boolean;
}

/** Called once a match, with score 0 when scores are not asked for. */
export type MatchConsumer = (doc: number, score: number) => void;

export class MatchWalk {
  total = 0;
  isTimedOut = false;
  isTerminated = false;
  private readonly pacer: WorkPacer;
  private readonly limits: WalkLimits;

  constructor(pacer: WorkPacer, limits: WalkLimits) {
    this.pacer = pacer;
    this.limits = limits;
  }

  get isDone(): boolean {
    return this.isTimedOut || this.isTerminated;
  }

  async run(view: SegmentView, scorer: Scorer | null, consume: MatchConsumer | null): Promise<void> {
    if (!scorer) return;
    assert(scorer.doc === -1, 'a scorer that has started already');
    let doc = scorer.next();
    while (doc !== NO_MORE_DOCS && !this.isDone) {
      doc = this.some(view, scorer, consume);
      const pause = this.pacer.checkpoint();
      if (pause !== null) await pause;
      this.isTimedOut = this.pacer.isOver;
    }
  }

  /** A stretch of matches, from the current one on; returns the document after it. */
  private some(view: SegmentView, scorer: Scorer, consume: MatchConsumer | null): number {
    const { isScored, terminateAfter } = this.limits;
    const minScore = this.limits.minScore ?? -1;
    const { liveDocs } = view;
    let { doc } = scorer;
    for (let i = 0; i < DOCS_BETWEEN_CHECKS && doc !== NO_MORE_DOCS; i++) {
      if (liveDocs === null || ((liveDocs[doc >> 3] as number) & (1 << (doc & 7))) !== 0) {
        const score = isScored ? scorer.score() : 0;
        if (score >= minScore) {
          this.total++;
          if (consume !== null) consume(doc, score);
          if (this.total === terminateAfter) {
            this.isTerminated = true;
            return doc;
          }
        }
      }
      doc = scorer.next();
    }
    return doc;
  }
}

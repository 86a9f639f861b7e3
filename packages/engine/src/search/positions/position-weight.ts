/**
 * Documents in which a positional query stands somewhere, and how its stretches make up a frequency.
 */
import { NO_NORM } from '../../bytes/small-float.ts';
import { NO_MORE_DOCS, type SegmentView } from '../../segment/segment-reader.ts';
import type { Bm25 } from '../bm25.ts';
import type { DocIterator, Scorer, Weight } from '../scorer.ts';
import { Part, type PositionNode } from './position-node.ts';
import type { Stretches } from './stretches.ts';

/** The score of a document from the stretches found there. */
export interface StretchScore {
  score(list: Stretches, norm: number): number;
}

export interface PositionQuery {
  readonly field: string;
  /** null when nothing in the segment matches. */
  readonly node: (view: SegmentView) => PositionNode | null;
  /** null: not scored. */
  readonly score: StretchScore | null;
}

export function positionWeight({ field, node, score }: PositionQuery): Weight {
  return {
    scorer(view) {
      const found = node(view);
      return found && new PositionScorer(found, score, view.segment.norms(field));
    },
    count: () => -1,
  };
}

class PositionScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private readonly docs: DocIterator;
  private readonly part: Part;
  private readonly scores: StretchScore | null;
  private readonly norms: Uint8Array | null;

  constructor(node: PositionNode, scores: StretchScore | null, norms: Uint8Array | null) {
    this.docs = node.docs;
    this.cost = node.docs.cost;
    this.part = new Part(node);
    this.scores = scores;
    this.norms = norms;
  }

  next(): number {
    return this.settle(this.docs.next());
  }

  advance(target: number): number {
    return this.settle(this.docs.advance(target));
  }

  private settle(start: number): number {
    let doc = start;
    while (doc !== NO_MORE_DOCS && this.part.read().count === 0) doc = this.docs.next();
    return (this.doc = doc);
  }

  score(): number {
    if (this.scores === null) return 0;
    return this.scores.score(this.part.list, this.norms === null ? NO_NORM : (this.norms[this.doc] as number));
  }
}

/** Spans: every stretch counts 1 / (1 + its width), and frequencies are weighed as those of terms are. */
export class SpanScore implements StretchScore {
  private readonly bm25: Bm25;

  constructor(bm25: Bm25) {
    this.bm25 = bm25;
  }

  score(list: Stretches, norm: number): number {
    let frequency = 0;
    for (let i = 0; i < list.count; i++) frequency = Math.fround(frequency + 1 / (1 + list.gap(i)));
    return this.bm25.score(frequency, norm);
  }
}

/** Intervals: a number that grows with the stretches towards the boost, the faster the shorter they are. */
export class IntervalScore implements StretchScore {
  private readonly boost: number;
  private readonly minExtent: number;

  /** @param minExtent positions that a stretch has at least */
  constructor(boost: number, minExtent: number) {
    this.boost = Math.fround(boost);
    this.minExtent = minExtent;
  }

  score(list: Stretches): number {
    let frequency = 0;
    for (let i = 0; i < list.count; i++) {
      const excess = list.end(i) - list.start(i) - this.minExtent + 1;
      frequency = Math.fround(frequency + 1 / Math.max(excess, 1));
    }
    return Math.fround(this.boost * Math.fround(1 - Math.fround(1 / Math.fround(1 + frequency))));
  }
}

/**
 * Documents in which a positional query stands somewhere, and how its ranges make up a frequency.
 */
import { assert, FloatNumber } from '@shoal/core';
import { NO_NORM } from '../../bytes/small-float.ts';
import { NO_MORE_DOCS, type SegmentView } from '../../format/reader/segment-reader.ts';
import { explainScore } from '../explain/explain-score.ts';
import type { FieldScores } from '../similarities/field-scores.ts';
import type { FieldStatistics } from '../weight/bm25.ts';
import type { Candidates, DocIterator } from '../weight/doc-iterator.ts';
import { type Explanation, explained, noMatch } from '../weight/explanation.ts';
import type { Scorer } from '../weight/scorer.ts';
import type { Weight } from '../weight/weight.ts';
import { Part, type PositionNode } from './position-node.ts';
import type { PositionRanges } from './position-ranges.ts';

/** The score of a document from the ranges found there. */
export interface RangeScore {
  score(list: PositionRanges, norm: number): number;
  explain(list: PositionRanges, doc: number, norms: Uint8Array | null): Explanation;
}

export interface PositionQuery {
  readonly field: string;
  /** Text of the query in Lucene's notation. */
  readonly text: string;
  /** null when nothing in the segment matches. */
  readonly node: (view: SegmentView) => PositionNode | null;
  /** null: not scored. */
  readonly score: RangeScore | null;
  /** What a document without a match lacks; for explanations. */
  readonly missing: 'term' | 'intervals';
}

export function positionWeight({ field, text, node, score, missing }: PositionQuery): Weight {
  const scorer = (view: SegmentView): PositionScorer | null => {
    const found = node(view);
    return found && new PositionScorer(found, score, view.segment.norms(field));
  };
  return {
    text,
    scorer,
    explain(view, doc) {
      const found = scorer(view);
      if (found?.advance(doc) !== doc) return noMatch(`no matching ${missing}`);
      return score === null ? explained(0, text) : score.explain(found.ranges, doc, view.segment.norms(field));
    },
    count: () => -1,
  };
}

class PositionScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  readonly candidates: Candidates;
  private readonly docs: DocIterator;
  private readonly part: Part;
  private readonly scores: RangeScore | null;
  private readonly norms: Uint8Array | null;

  constructor(node: PositionNode, scores: RangeScore | null, norms: Uint8Array | null) {
    this.docs = node.docs;
    this.cost = node.docs.cost;
    this.part = new Part(node);
    this.candidates = { docs: node.docs, matches: () => this.matches() };
    this.scores = scores;
    this.norms = norms;
  }

  /** Ranges of the current document. */
  get ranges(): PositionRanges {
    return this.part.list;
  }

  next(): number {
    return this.settle(this.docs.next());
  }

  advance(target: number): number {
    return this.settle(this.docs.advance(target));
  }

  private settle(start: number): number {
    let doc = start;
    while (doc !== NO_MORE_DOCS && !this.matches()) doc = this.docs.next();
    return (this.doc = doc);
  }

  private matches(): boolean {
    this.doc = this.docs.doc;
    return this.part.read().count > 0;
  }

  score(): number {
    if (this.scores === null) return 0;
    return this.scores.score(this.part.list, this.norms === null ? NO_NORM : (this.norms[this.doc] as number));
  }
}

export interface SpanScoreParts {
  readonly text: string;
  readonly scores: FieldScores;
  readonly idf: Explanation;
  readonly statistics: FieldStatistics;
}

/** Spans: every range counts 1 / (1 + its width), and frequencies are weighed as those of terms are. */
export class SpanScore implements RangeScore {
  private readonly parts: SpanScoreParts;

  constructor(parts: SpanScoreParts) {
    this.parts = parts;
  }

  score(list: PositionRanges, norm: number): number {
    return this.parts.scores.score(spanFrequency(list), norm);
  }

  explain(list: PositionRanges, doc: number, norms: Uint8Array | null): Explanation {
    const frequency = spanFrequency(list);
    const score = this.score(list, norms === null ? NO_NORM : (norms[doc] as number));
    const freq = explained(frequency, `phraseFreq=${String(new FloatNumber(frequency))}`);
    return explainScore({ ...this.parts, doc, score, freq, norms });
  }
}

function spanFrequency(list: PositionRanges): number {
  let frequency = 0;
  for (let i = 0; i < list.count; i++) frequency = Math.fround(frequency + 1 / (1 + list.gap(i)));
  return frequency;
}

/** Intervals: a number that grows with the ranges towards the boost, the faster the shorter they are. */
export class IntervalScore implements RangeScore {
  private readonly text: string;
  private readonly boost: number;
  private readonly minExtent: number;

  /** @param minExtent positions that a range has at least */
  constructor(text: string, boost: number, minExtent: number) {
    this.text = text;
    this.boost = Math.fround(boost);
    assert(minExtent >= 0, `ranges of at least ${minExtent} positions`);
    this.minExtent = minExtent;
  }

  score(list: PositionRanges): number {
    const share = Math.fround(1 - Math.fround(1 / Math.fround(1 + this.frequency(list))));
    return Math.fround(this.boost * share);
  }

  explain(list: PositionRanges): Explanation {
    return explained(this.score(list), 'Saturation function on interval frequency, computed as w * S / (S + k) from:', [
      explained(this.boost, 'w, weight of this function'),
      explained(1, 'k, pivot feature value that would give a score contribution equal to w/2'),
      explained(this.frequency(list), `S, the sloppy frequency of the interval query ${this.text}`),
    ]);
  }

  private frequency(list: PositionRanges): number {
    let frequency = 0;
    for (let i = 0; i < list.count; i++) {
      const excess = list.end(i) - list.start(i) - this.minExtent + 1;
      frequency = Math.fround(frequency + 1 / Math.max(excess, 1));
    }
    return frequency;
  }
}

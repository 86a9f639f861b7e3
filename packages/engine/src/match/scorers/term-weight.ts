/**
 * One term of one field, with scores or without.
 */

import { assert } from '@shoal/core';
import { NO_NORM } from '../../bytes/small-float.ts';
import { NO_MORE_DOCS, type PostingsCursor, type SegmentView } from '../../format/reader/segment-reader.ts';
import { constantWeight } from '../bits/constant-weight.ts';
import { explainIdf, explainScore } from '../explain/explain-score.ts';
import { planOf } from '../kernel-plan/kernel-plan.ts';
import { type FieldScores, kernelScores } from '../similarities/field-scores.ts';
import { Bm25, idf } from '../weight/bm25.ts';
import { explained, noMatch } from '../weight/explanation.ts';
import type { LocatedTerm } from '../weight/located-term.ts';
import type { ScoreWindow } from '../weight/score-window.ts';
import { BATCH_SIZE, type Scorer } from '../weight/scorer.ts';
import type { Weight } from '../weight/weight.ts';
import type { StatisticsCache } from './statistics-cache.ts';

export interface TermWeightOptions {
  readonly field: string;
  readonly term: Uint8Array;
  readonly boost: number;
  readonly isScored: boolean;
  /** Statistics that take the place of the term's own, when several fields are searched as one. */
  readonly docFreq: number | null;
}

export function termWeight(statistics: StatisticsCache, options: TermWeightOptions): Weight {
  const { field, term } = options;
  if (statistics.isRuntime(field)) {
    const text = `${field}:${Buffer.from(term).toString('utf8')}`;
    return constantWeight((view) => termCursor(view, field, term), options.boost, text);
  }
  const located = statistics.locate(field, term);
  const scores = options.isScored ? termScores(statistics, located, options) : null;
  const bm25 = kernelScores(scores);
  const text = `${field}:${Buffer.from(term).toString('utf8')}`;
  return {
    text,
    ...(bm25 !== undefined && { plan: planOf({ kind: 'any', terms: [{ term: located, bm25 }] }) }),
    explain(view, doc) {
      const cursor = located.postings(view);
      if (cursor?.advance(doc) !== doc) return noMatch('no matching term');
      if (scores === null) return explained(0, text);
      const norms = view.segment.norms(field);
      const fieldStatistics = statistics.field(field);
      const frequency = options.docFreq ?? statistics.located(located).docFreq;
      return explainScore({
        text,
        doc,
        score: scores.score(cursor.freq, norms === null ? NO_NORM : (norms[doc] as number)),
        scores,
        idf: explainIdf(frequency, fieldStatistics.docCount),
        freq: explained(cursor.freq, 'freq, occurrences of term within document'),
        norms,
        statistics: fieldStatistics,
      });
    },
    scorer(view) {
      const cursor = located.postings(view);
      if (!cursor) return null;
      return termScorer(cursor, scores, view.segment.norms(field));
    },
    count(view) {
      if (view.liveDocs !== null) return -1;
      const ordinal = located.ordinalIn(view);
      return ordinal < 0 ? 0 : (view.segment.terms(field)?.docFreq(ordinal) ?? 0);
    },
  };
}

function termScores(
  statistics: StatisticsCache,
  term: LocatedTerm,
  { field, boost, docFreq }: TermWeightOptions,
): FieldScores {
  const own = statistics.located(term);
  const frequency = docFreq ?? own.docFreq;
  const terms = [{ docFreq: frequency, totalTermFreq: Math.max(own.totalTermFreq, frequency) }];
  return statistics.scores(field, { boost, idf: idf(frequency, statistics.field(field).docCount), terms });
}

/** Scorer over the postings of a term, or of several as one. `scores`: null where nothing is scored. */
export function termScorer(cursor: PostingsCursor, scores: FieldScores | null, norms: Uint8Array | null): Scorer {
  if (scores === null) return new UnscoredTerm(cursor);
  return scores instanceof Bm25 ? new TermScorer(cursor, scores, norms) : new ModelScorer(cursor, scores, norms);
}

/** Scorer by another model than BM25. */
class ModelScorer implements Scorer {
  readonly cost: number;
  doc = -1;
  private readonly cursor: PostingsCursor;
  private readonly scores: FieldScores;
  private readonly norms: Uint8Array | null;

  constructor(cursor: PostingsCursor, scores: FieldScores, norms: Uint8Array | null) {
    assert(cursor.doc === -1, `a scorer of postings that stand at ${cursor.doc}`);
    this.cursor = cursor;
    this.cost = cursor.cost;
    this.scores = scores;
    this.norms = norms;
  }

  next(): number {
    return (this.doc = this.cursor.next());
  }

  advance(target: number): number {
    return (this.doc = this.cursor.advance(target));
  }

  score(): number {
    return this.scores.score(this.cursor.freq, this.norms === null ? NO_NORM : (this.norms[this.doc] as number));
  }
}

/** Postings of a term in one segment; null when it has none. */
export function termCursor(view: SegmentView, field: string, term: Uint8Array): PostingsCursor | null {
  const terms = view.segment.terms(field);
  const ordinal = terms ? terms.find(term) : -1;
  return terms && ordinal >= 0 && terms.docFreq(ordinal) > 0 ? terms.postings(ordinal) : null;
}

export class TermScorer implements Scorer {
  readonly cost: number;
  doc = -1;
  private readonly cursor: PostingsCursor;
  private readonly weight: number;
  private readonly inverses: Float32Array;
  private readonly norms: Uint8Array | null;

  constructor(cursor: PostingsCursor, bm25: Bm25, norms: Uint8Array | null) {
    this.cursor = cursor;
    this.cost = cursor.cost;
    this.weight = bm25.weight;
    this.inverses = bm25.inverses;
    assert(cursor.doc === -1, `a scorer of postings that stand at ${cursor.doc}`);
    this.norms = norms;
  }

  next(): number {
    return (this.doc = this.cursor.next());
  }

  advance(target: number): number {
    return (this.doc = this.cursor.advance(target));
  }

  score(): number {
    const norm = this.norms === null ? NO_NORM : (this.norms[this.doc] as number);
    const { weight } = this;
    const tf = Math.fround(1 + Math.fround(this.cursor.freq * (this.inverses[norm] as number)));
    return Math.fround(weight - Math.fround(weight / tf));
  }

  nextBatch(docs: Uint32Array, scores: Float32Array, isScored: boolean): number {
    const { cursor } = this;
    let count = 0;
    let doc = this.doc === NO_MORE_DOCS ? NO_MORE_DOCS : cursor.next();
    while (doc !== NO_MORE_DOCS) {
      this.doc = doc;
      docs[count] = doc;
      if (isScored) scores[count] = this.score();
      if (++count === BATCH_SIZE) return count;
      doc = cursor.next();
    }
    this.doc = NO_MORE_DOCS;
    return count;
  }

  drain(window: ScoreWindow, end: number): number {
    const { cursor } = this;
    const { sums, marks, base } = window;
    let { doc } = this;
    while (doc < end) {
      const at = doc - base;
      sums[at] = (sums[at] as number) + this.score();
      marks[at >>> 5] = (marks[at >>> 5] as number) | (1 << (at & 31));
      doc = cursor.next();
      this.doc = doc;
    }
    return doc;
  }
}

export class UnscoredTerm implements Scorer {
  readonly cost: number;
  doc = -1;
  private readonly cursor: PostingsCursor;

  constructor(cursor: PostingsCursor) {
    assert(cursor.doc === -1, `a scorer of postings that stand at ${cursor.doc}`);
    this.cursor = cursor;
    this.cost = cursor.cost;
  }

  next(): number {
    return (this.doc = this.cursor.next());
  }

  advance(target: number): number {
    return (this.doc = this.cursor.advance(target));
  }

  score(): number {
    return 0;
  }

  nextBatch(docs: Uint32Array): number {
    const { cursor } = this;
    let count = 0;
    let doc = this.doc === NO_MORE_DOCS ? NO_MORE_DOCS : cursor.next();
    while (doc !== NO_MORE_DOCS) {
      docs[count++] = doc;
      if (count === BATCH_SIZE) break;
      doc = cursor.next();
    }
    this.doc = doc;
    return count;
  }

  drain(window: ScoreWindow, end: number): number {
    const { cursor } = this;
    const { marks, base } = window;
    let { doc } = this;
    while (doc < end) {
      const at = doc - base;
      marks[at >>> 5] = (marks[at >>> 5] as number) | (1 << (at & 31));
      doc = cursor.next();
    }
    return (this.doc = doc);
  }
}

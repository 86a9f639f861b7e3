/**
 * Weights whose every match has the same score: match-all, filters, constant_score.
 */

import { assert } from '@shoal/core';
import { NO_MORE_DOCS, type SegmentView } from '../../format/reader/segment-reader.ts';
import type { Candidates, DocBits, DocIterator } from '../weight/doc-iterator.ts';
import { boostText, explained, noMatch } from '../weight/explanation.ts';
import { FoundDocs } from '../weight/found-docs.ts';
import { isScored } from '../weight/plan-shape.ts';
import { requiredTerms } from '../weight/required-terms.ts';
import { BATCH_SIZE, type Scorer } from '../weight/scorer.ts';
import { hasPlainText, textOfWeight, type Weight } from '../weight/weight.ts';
import { AllBits } from './doc-bits.ts';

/** Every document of a segment. */
export class AllDocsScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private readonly value: number;

  constructor(docCount: number, value: number) {
    assert(docCount > 0, `a segment of ${docCount} documents`);
    this.cost = docCount;
    this.value = value;
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    return (this.doc = target >= this.cost ? NO_MORE_DOCS : target);
  }

  score(): number {
    return this.value;
  }

  get bits(): DocBits {
    return new AllBits(this.cost);
  }

  nextBatch(docs: Uint32Array, scores: Float32Array): number {
    const from = this.doc + 1;
    const count = this.doc === NO_MORE_DOCS ? 0 : Math.min(BATCH_SIZE, this.cost - from);
    for (let i = 0; i < count; i++) docs[i] = from + i;
    scores.fill(this.value, 0, count);
    this.doc = count === 0 ? NO_MORE_DOCS : from + count - 1;
    return count;
  }
}

/** One score for every document of an iterator. */
export class ConstantScorer extends FoundDocs implements Scorer {
  private readonly value: number;

  constructor(docs: DocIterator, value: number) {
    super(docs);
    this.value = value;
  }

  score(): number {
    return this.value;
  }

  get constantScore(): number {
    return this.value;
  }

  get bits(): DocBits | null {
    return this.docs.bits ?? null;
  }

  get candidates(): Candidates | null {
    return this.docs.candidates ?? null;
  }

  nextBatch(into: Uint32Array, scores: Float32Array): number {
    const { docs } = this;
    let count = 0;
    let doc = docs.doc === NO_MORE_DOCS ? NO_MORE_DOCS : docs.next();
    while (doc !== NO_MORE_DOCS) {
      into[count++] = doc;
      if (count === BATCH_SIZE) break;
      doc = docs.next();
    }
    scores.fill(this.value, 0, count);
    return count;
  }
}

export function allDocsWeight(boost: number): Weight {
  const value = Math.fround(boost);
  return {
    text: '*:*',
    constantScore: value,
    scorer: (view) => new AllDocsScorer(view.segment.docCount, value),
    explain: () => explained(value, `*:*${boostText(value)}`),
    count: (view) => view.liveCount,
  };
}

/**
 * A weight whose every match scores the same; `docs` finds them. `text`: what they are, for explanations. `told`: what the weight's own
 * explanations say they are, which of a query over an index and a column is what Lucene asks of the column.
 */
export function constantWeight(
  docs: (view: SegmentView) => DocIterator | null,
  boost: number,
  text = 'ConstantScore(query)',
  told: string = text,
): Weight {
  const value = Math.fround(boost);
  return {
    text,
    constantScore: value,
    scorer(view) {
      const found = docs(view);
      return found && new ConstantScorer(found, value);
    },
    explain(view, doc) {
      if (docs(view)?.advance(doc) !== doc) return noMatch(`${told} doesn't match id ${doc}`);
      return explained(value, told + boostText(value));
    },
    count: () => -1,
  };
}

/** The matches of `inner`, all with one score. `text`: what they are called, where it is not by their clauses. */
export function constantScoreWeight(
  inner: Weight,
  boost: number,
  text = `ConstantScore(${textOfWeight(inner)})`,
): Weight {
  const constant = constantWeight((view) => inner.scorer(view), boost, text);
  const weight = {
    ...constant,
    ...(hasPlainText(inner) && { plainText: `ConstantScore(${textOfWeight(inner, 'plain')})` }),
    requiredTerms: () => requiredTerms(inner),
    count: (view: SegmentView) => inner.count(view),
  };
  // The plan serves to count: its clauses must have no scores by which hits could be ranked.
  return inner.plan && !isScored(inner.plan) ? { ...weight, plan: inner.plan } : weight;
}

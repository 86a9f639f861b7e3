/**
 * How queries run: a weight knows a query's statistics over the shard, a scorer walks one segment's matches in doc order.
 *
 * Deleted documents are not left out by scorers: the collector does it, once. Scores are float32 values, as Lucene's are,
 * so that they agree with Elasticsearch's to the last digits that clients see.
 */
import { NO_MORE_DOCS, type SegmentView } from '../../format/reader/segment-reader.ts';
import { AllBits, type DocBits } from '../bits/doc-bits.ts';
import { isScored, type KernelPlan } from '../kernel-plan/kernel-plan.ts';
import { boostText, type Explanation, explained, noMatch } from './explanation.ts';

/** Documents in ascending order. Starts before the first: call `next` or `advance` first. */
export interface DocIterator {
  /** Current document; -1 before the first, `NO_MORE_DOCS` after the last. */
  readonly doc: number;
  /** Upper bound of the documents, roughly: who leads a conjunction is chosen by it. */
  readonly cost: number;
  next(): number;
  /** First document >= `target`; `target` must be greater than the current document. */
  advance(target: number): number;
  /** The same documents as bits, wherever it stands; null or left out where they are found one by one. */
  readonly bits?: DocBits | null;
}

export interface Scorer extends DocIterator {
  /** Of the current document; never negative. */
  score(): number;
  /**
   * The next matches at once, ascending, for whoever reads them all: at most `BATCH_SIZE`, 0 at the end. Scores are only
   * written when `isScored`. Not to be mixed with the other calls. Left out where one document at a time is as fast.
   */
  nextBatch?(docs: Uint32Array, scores: Float32Array, isScored: boolean): number;
}

/** Matches handed on at once: enough that a call a batch costs nothing, few enough to stay in the processor's cache. */
export const BATCH_SIZE = 2_048;

export interface Weight {
  /** null when nothing in the segment matches. */
  scorer(view: SegmentView): Scorer | null;
  /** The score of every match, where it is the same for all. */
  readonly constantScore?: number;
  /** How kernels run it; left out where only the scorer can. */
  readonly plan?: KernelPlan;
  /** What it looks for, as Lucene writes it; for explanations. */
  readonly text?: string;
  /** Why a document has its score; left out where the score is all that there is to say. */
  explain?(view: SegmentView, doc: number): Explanation;
  /** Matches of the segment when they are known without walking it, deleted documents not counted; -1 when not. */
  count(view: SegmentView): number;
}

export const NONE_WEIGHT: Weight = {
  text: 'MatchNoDocsQuery("")',
  scorer: () => null,
  explain: () => noMatch('MatchNoDocsQuery("")'),
  count: () => 0,
};

/** Every document of a segment. */
export class AllDocsScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private readonly value: number;

  constructor(docCount: number, value: number) {
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
export class ConstantScorer implements Scorer {
  private readonly docs: DocIterator;
  private readonly value: number;

  constructor(docs: DocIterator, value: number) {
    this.docs = docs;
    this.value = value;
  }

  get doc(): number {
    return this.docs.doc;
  }

  get cost(): number {
    return this.docs.cost;
  }

  next(): number {
    return this.docs.next();
  }

  advance(target: number): number {
    return this.docs.advance(target);
  }

  score(): number {
    return this.value;
  }

  get bits(): DocBits | null {
    return this.docs.bits ?? null;
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

/** A weight whose every match scores the same; `docs` finds them. `text`: what they are, for explanations. */
export function constantWeight(
  docs: (view: SegmentView) => DocIterator | null,
  boost: number,
  text = 'ConstantScore(query)',
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
      if (docs(view)?.advance(doc) !== doc) return noMatch(`${text} doesn't match id ${doc}`);
      return explained(value, text + boostText(value));
    },
    count: () => -1,
  };
}

/** The matches of `inner`, all with one score. */
export function constantScoreWeight(inner: Weight, boost: number): Weight {
  const weight = {
    ...constantWeight((view) => inner.scorer(view), boost, `ConstantScore(${inner.text ?? 'query'})`),
    count: (view: SegmentView) => inner.count(view),
  };
  // The plan serves to count: its clauses must have no scores by which hits could be ranked.
  return inner.plan && !isScored(inner.plan) ? { ...weight, plan: inner.plan } : weight;
}

/**
 * Documents that several iterators share, and what a boolean query adds to them: optional scores and exclusions.
 */
import { assert } from '@shoal/core';
import { NO_MORE_DOCS } from '../../format/reader/segment-reader.ts';
import { CommonBits, RemainingBits } from '../bits/doc-bits.ts';
import type { DocBits, DocIterator } from '../weight/doc-iterator.ts';
import { ScoreWindow } from '../weight/score-window.ts';
import { BATCH_SIZE, type Scorer } from '../weight/scorer.ts';
import { SumDisjunction } from './disjunction-scorer.ts';

/** All of `required`, of which `scoring` make up the score. The rarest leads. */
export class ConjunctionScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private readonly lead: DocIterator;
  private readonly others: readonly DocIterator[];
  private readonly scoring: readonly Scorer[];

  constructor(required: readonly DocIterator[], scoring: readonly Scorer[]) {
    const [lead, ...others] = [...required].sort((a, b) => a.cost - b.cost);
    assert(lead !== undefined, `a conjunction of ${required.length} iterators`);
    assert(scoring.length <= required.length, `${scoring.length} of ${required.length} iterators score`);
    this.lead = lead;
    this.others = others;
    this.scoring = scoring;
    this.cost = this.lead.cost;
  }

  get bits(): DocBits | null {
    const bits: DocBits[] = [];
    for (const one of [this.lead, ...this.others]) {
      if (!one.bits) return null;
      bits.push(one.bits);
    }
    return new CommonBits(bits);
  }

  next(): number {
    return this.settle(this.lead.next());
  }

  advance(target: number): number {
    return this.settle(this.lead.advance(target));
  }

  private settle(start: number): number {
    const { lead, others } = this;
    let doc = start;
    search: while (doc !== NO_MORE_DOCS) {
      for (let i = 0; i < others.length; i++) {
        const other = others[i] as DocIterator;
        const at = other.doc < doc ? other.advance(doc) : other.doc;
        if (at > doc) {
          doc = at === NO_MORE_DOCS ? NO_MORE_DOCS : lead.advance(at);
          continue search;
        }
      }
      break;
    }
    return (this.doc = doc);
  }

  score(): number {
    let sum = 0;
    for (let i = 0; i < this.scoring.length; i++) sum += (this.scoring[i] as Scorer).score();
    return Math.fround(sum);
  }
}

/** Optional clauses are read by windows where one document of so many is required. */
const DENSE_SPAN = 8;

/** One document at a time, for scorers that have no faster way. */
function nextOnes(scorer: Scorer, docs: Uint32Array, scores: Float32Array, isScored: boolean): number {
  if (scorer.doc === NO_MORE_DOCS) return 0;
  let count = 0;
  for (let doc = scorer.next(); doc !== NO_MORE_DOCS; doc = scorer.next()) {
    docs[count] = doc;
    if (isScored) scores[count] = scorer.score();
    if (++count === BATCH_SIZE) break;
  }
  return count;
}

/** `required`, and the score of `optional` where it also matches. */
export class RequiredOptionalScorer implements Scorer {
  private readonly required: Scorer;
  private readonly optional: Scorer;

  private window: ScoreWindow | null = null;

  constructor(required: Scorer, optional: Scorer) {
    assert(required.doc === -1 && optional.doc === -1, `optional clauses start at ${required.doc} and ${optional.doc}`);
    this.required = required;
    this.optional = optional;
  }

  nextBatch(docs: Uint32Array, scores: Float32Array, isScored: boolean): number {
    const { required } = this;
    const count = required.nextBatch
      ? required.nextBatch(docs, scores, isScored)
      : nextOnes(required, docs, scores, isScored);
    if (!isScored || count === 0) return count;
    assert(count <= BATCH_SIZE, `a batch of ${count} documents`);
    const span = (docs[count - 1] as number) - (docs[0] as number);
    assert(span >= count - 1, `${count} documents in a range of ${span + 1}: they do not ascend`);
    if (this.optional instanceof SumDisjunction && span < count * DENSE_SPAN) this.addByWindows(docs, scores, count);
    else this.addOneByOne(docs, scores, count);
    return count;
  }

  private addOneByOne(docs: Uint32Array, scores: Float32Array, count: number): void {
    const { optional } = this;
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const at = optional.doc < doc ? optional.advance(doc) : optional.doc;
      if (at === doc) scores[i] = (scores[i] as number) + optional.score();
    }
  }

  private addByWindows(docs: Uint32Array, scores: Float32Array, count: number): void {
    const { optional } = this;
    if (!(optional instanceof SumDisjunction)) return;
    this.window ??= new ScoreWindow();
    const { window } = this;
    const { sums, marks } = window;
    for (let i = 0; i < count; ) {
      window.base = docs[i] as number;
      const end = Math.min(window.base + BATCH_SIZE, (docs[count - 1] as number) + 1);
      optional.drain(window, end);
      for (; i < count && (docs[i] as number) < end; i++) {
        const at = (docs[i] as number) - window.base;
        if (((marks[at >>> 5] as number) & (1 << (at & 31))) === 0) continue;
        scores[i] = (scores[i] as number) + Math.fround(sums[at] as number);
      }
      sums.fill(0);
      marks.fill(0);
    }
  }

  get doc(): number {
    return this.required.doc;
  }

  get cost(): number {
    return this.required.cost;
  }

  get bits(): DocBits | null {
    return this.required.bits ?? null;
  }

  next(): number {
    return this.required.next();
  }

  advance(target: number): number {
    return this.required.advance(target);
  }

  score(): number {
    const { required, optional } = this;
    const { doc } = required;
    const at = optional.doc < doc ? optional.advance(doc) : optional.doc;
    const score = required.score();
    return at === doc ? Math.fround(score + optional.score()) : score;
  }
}

/** `included` without the documents of `excluded`. */
export class ExclusionScorer implements Scorer {
  private readonly included: Scorer;
  private readonly excluded: DocIterator;

  constructor(included: Scorer, excluded: DocIterator) {
    assert(included.doc === -1 && excluded.doc === -1, `exclusion starts at ${included.doc} and ${excluded.doc}`);
    this.included = included;
    this.excluded = excluded;
  }

  get doc(): number {
    return this.included.doc;
  }

  get cost(): number {
    return this.included.cost;
  }

  get bits(): DocBits | null {
    const { included, excluded } = this;
    return included.bits && excluded.bits ? new RemainingBits(included.bits, excluded.bits) : null;
  }

  next(): number {
    return this.settle(this.included.next());
  }

  advance(target: number): number {
    return this.settle(this.included.advance(target));
  }

  private settle(start: number): number {
    const { included, excluded } = this;
    let doc = start;
    while (doc !== NO_MORE_DOCS) {
      const at = excluded.doc < doc ? excluded.advance(doc) : excluded.doc;
      if (at !== doc) break;
      doc = included.next();
    }
    return doc;
  }

  score(): number {
    return this.included.score();
  }
}

/** Matches of `positive`; those that `negative` matches too score `factor` times as much. */
export class DemotingScorer implements Scorer {
  private readonly positive: Scorer;
  private readonly negative: DocIterator;
  private readonly factor: number;

  constructor(positive: Scorer, negative: DocIterator, factor: number) {
    assert(positive.doc === -1 && negative.doc === -1, `boosting starts at ${positive.doc} and ${negative.doc}`);
    this.positive = positive;
    this.negative = negative;
    this.factor = factor;
  }

  get doc(): number {
    return this.positive.doc;
  }

  get cost(): number {
    return this.positive.cost;
  }

  get bits(): DocBits | null {
    return this.positive.bits ?? null;
  }

  next(): number {
    return this.positive.next();
  }

  advance(target: number): number {
    return this.positive.advance(target);
  }

  score(): number {
    const { doc } = this.positive;
    const at = this.negative.doc < doc ? this.negative.advance(doc) : this.negative.doc;
    const score = this.positive.score();
    return at === doc ? Math.fround(score * this.factor) : score;
  }
}

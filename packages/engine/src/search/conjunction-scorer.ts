/**
 * Documents that several iterators share, and what a boolean query adds to them: optional scores and exclusions.
 */
import { NO_MORE_DOCS } from '../segment/segment-reader.ts';
import { CommonBits, type DocBits, RemainingBits } from './doc-bits.ts';
import type { DocIterator, Scorer } from './scorer.ts';

/** All of `required`, of which `scoring` make up the score. The rarest leads. */
export class ConjunctionScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  private readonly lead: DocIterator;
  private readonly others: readonly DocIterator[];
  private readonly scoring: readonly Scorer[];

  constructor(required: readonly DocIterator[], scoring: readonly Scorer[]) {
    const [lead, ...others] = [...required].sort((a, b) => a.cost - b.cost);
    this.lead = lead as DocIterator;
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

/** `required`, and the score of `optional` where it also matches. */
export class RequiredOptionalScorer implements Scorer {
  private readonly required: Scorer;
  private readonly optional: Scorer;

  constructor(required: Scorer, optional: Scorer) {
    this.required = required;
    this.optional = optional;
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

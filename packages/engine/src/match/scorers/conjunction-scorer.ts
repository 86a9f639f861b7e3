/**
 * Documents that several iterators share, and what a boolean query adds to them: optional scores and exclusions.
 */
import { assert } from '@shoal/core';
import { NO_MORE_DOCS } from '../../format/reader/segment-reader.ts';
import { CommonBits, RemainingBits } from '../bits/doc-bits.ts';
import { type Candidates, candidateDocs, type DocBits, type DocIterator } from '../weight/doc-iterator.ts';
import { DocTest } from '../weight/doc-test.ts';
import { nextOneByOne } from '../weight/one-by-one.ts';
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
  readonly candidates: Candidates | null;

  constructor(required: readonly DocIterator[], scoring: readonly Scorer[]) {
    this.candidates = this.candidatesOf(required);
    const leading = this.candidates === null ? required : [this.candidates.docs];
    const [lead, ...others] = [...leading].sort((a, b) => a.cost - b.cost);
    assert(lead !== undefined, `a conjunction of ${required.length} iterators`);
    assert(scoring.length <= required.length, `${scoring.length} of ${required.length} iterators score`);
    this.lead = lead;
    this.others = others;
    this.scoring = scoring;
    this.cost = this.lead.cost;
  }

  /** Where some need a test: what all may be in, and the tests; null where none does. */
  private candidatesOf(required: readonly DocIterator[]): Candidates | null {
    const tests = required.map((one) => one.candidates ?? null).filter((one) => one !== null);
    if (tests.length === 0) return null;
    const docs = new ConjunctionScorer(required.map(candidateDocs), []);
    const matches = (): boolean => {
      this.doc = docs.doc;
      for (let i = 0; i < tests.length; i++) if (!(tests[i] as Candidates).matches()) return false;
      return true;
    };
    const keeps = tests.map(({ keep }) => keep).filter((keep) => keep !== undefined);
    if (keeps.length < tests.length) return { docs, matches };
    return { docs, matches, keep: (some, count) => keeps.reduce((left, keep) => keep(some, left), count) };
  }

  get bits(): DocBits | null {
    if (this.candidates !== null) return null;
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
    const { lead, others, candidates } = this;
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
      if (candidates === null || candidates.matches()) break;
      doc = lead.next();
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

/** `required`, and the score of `optional` where it also matches. */
export class RequiredOptionalScorer implements Scorer {
  readonly candidates: Candidates | null;
  private readonly required: Scorer;
  private readonly optional: Scorer;
  private readonly optionalTest: DocTest;

  private window: ScoreWindow | null = null;

  constructor(required: Scorer, optional: Scorer) {
    assert(required.doc === -1 && optional.doc === -1, `optional clauses start at ${required.doc} and ${optional.doc}`);
    this.required = required;
    this.optional = optional;
    this.optionalTest = new DocTest(optional);
    this.candidates = required.candidates ?? null;
  }

  nextBatch(docs: Uint32Array, scores: Float32Array, isScored: boolean): number {
    const { required } = this;
    const count = required.nextBatch
      ? required.nextBatch(docs, scores, isScored)
      : nextOneByOne(required, { docs, scores, isScored }, BATCH_SIZE);
    if (!isScored || count === 0) return count;
    assert(count <= BATCH_SIZE, `a batch of ${count} documents`);
    const span = (docs[count - 1] as number) - (docs[0] as number);
    assert(span >= count - 1, `${count} documents in a range of ${span + 1}: they do not ascend`);
    const hasWindows = this.optional instanceof SumDisjunction && this.optional.candidates === null;
    if (hasWindows && span < count * DENSE_SPAN) this.addByWindows(docs, scores, count);
    else this.addOneByOne(docs, scores, count);
    return count;
  }

  private addOneByOne(docs: Uint32Array, scores: Float32Array, count: number): void {
    const { optional, optionalTest } = this;
    for (let i = 0; i < count; i++) {
      if (optionalTest.has(docs[i] as number)) scores[i] = (scores[i] as number) + optional.score();
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
    const { required, optional, optionalTest } = this;
    const score = required.score();
    return optionalTest.has(required.doc) ? Math.fround(score + optional.score()) : score;
  }
}

/** `included` without the documents of `excluded`. */
export class ExclusionScorer implements Scorer {
  readonly candidates: Candidates;
  private readonly included: Scorer;
  private readonly excluded: DocIterator;
  private readonly excludedTest: DocTest;

  constructor(included: Scorer, excluded: DocIterator) {
    assert(included.doc === -1 && excluded.doc === -1, `exclusion starts at ${included.doc} and ${excluded.doc}`);
    this.included = included;
    this.excluded = excluded;
    const excludedTest = new DocTest(excluded);
    this.excludedTest = excludedTest;
    const tested = included.candidates ?? null;
    const docs = tested?.docs ?? included;
    this.candidates = { docs, matches: () => (tested === null || tested.matches()) && !excludedTest.has(docs.doc) };
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
    const { included, excludedTest } = this;
    let doc = start;
    while (doc !== NO_MORE_DOCS && excludedTest.has(doc)) doc = included.next();
    return doc;
  }

  score(): number {
    return this.included.score();
  }
}

/** Matches of `positive`; those that `negative` matches too score `factor` times as much. */
export class DemotingScorer implements Scorer {
  private readonly positive: Scorer;
  private readonly negative: DocTest | null;
  private readonly factor: number;
  private readonly boost: number;

  /**
   * @param negative null: nothing is demoted
   * @param boost of all scores, multiplied once they are known
   */
  constructor(positive: Scorer, negative: DocIterator | null, factor: number, boost: number) {
    assert(positive.doc === -1 && (negative?.doc ?? -1) === -1, `boosting starts at ${positive.doc}, ${negative?.doc}`);
    this.positive = positive;
    this.negative = negative && new DocTest(negative);
    this.factor = factor;
    this.boost = boost;
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

  get candidates(): Candidates | null {
    return this.positive.candidates ?? null;
  }

  next(): number {
    return this.positive.next();
  }

  advance(target: number): number {
    return this.positive.advance(target);
  }

  score(): number {
    const score = this.positive.score();
    const isDemoted = this.negative?.has(this.positive.doc) === true;
    return Math.fround((isDemoted ? score * this.factor : score) * this.boost);
  }
}

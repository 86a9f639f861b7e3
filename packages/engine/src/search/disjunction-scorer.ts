/**
 * Documents that at least one (or some number) of several scorers match.
 *
 * One document at a time over a flat array of the scorers' positions: queries have few clauses, and a scan of few numbers
 * beats a heap of objects.
 */
import { NO_MORE_DOCS } from '../segment/segment-reader.ts';
import { type DocBits, UnitedBits } from './doc-bits.ts';
import { ScoreWindow } from './score-window.ts';
import { BATCH_SIZE, type Scorer } from './scorer.ts';
import { TermScorer } from './term-weight.ts';

abstract class Disjunction implements Scorer {
  doc = -1;
  readonly cost: number;
  protected readonly scorers: readonly Scorer[];
  /** Current document of each scorer. */
  protected readonly docs: Int32Array;

  constructor(scorers: readonly Scorer[]) {
    this.scorers = scorers;
    this.docs = new Int32Array(scorers.length).fill(-1);
    this.cost = scorers.reduce((sum, scorer) => sum + scorer.cost, 0);
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const { docs, scorers } = this;
    let least = NO_MORE_DOCS;
    for (let i = 0; i < docs.length; i++) {
      let at = docs[i] as number;
      if (at < target) {
        const scorer = scorers[i] as Scorer;
        at = at === target - 1 ? scorer.next() : scorer.advance(target);
        docs[i] = at;
      }
      if (at < least) least = at;
    }
    return (this.doc = least);
  }

  abstract score(): number;
}

/** Adds the scores of all that match. */
abstract class Summing extends Disjunction {
  score(): number {
    const { docs, scorers, doc } = this;
    let sum = 0;
    for (let i = 0; i < docs.length; i++) if (docs[i] === doc) sum += (scorers[i] as Scorer).score();
    return Math.fround(sum);
  }
}

/** Where all have them. */
function unitedBits(scorers: readonly Scorer[]): DocBits | null {
  const bits: DocBits[] = [];
  for (const one of scorers) {
    if (!one.bits) return null;
    bits.push(one.bits);
  }
  return new UnitedBits(bits);
}

/** Every document of any scorer. Read as a whole, it fills a window clause by clause. */
export class SumDisjunction extends Summing {
  private window: ScoreWindow | null = null;

  get bits(): DocBits | null {
    return unitedBits(this.scorers);
  }

  nextBatch(into: Uint32Array, scores: Float32Array, isScored: boolean): number {
    const { docs, scorers } = this;
    if (this.window === null) {
      this.window = new ScoreWindow();
      this.advance(0);
    }
    let base = NO_MORE_DOCS;
    for (let i = 0; i < docs.length; i++) base = Math.min(base, docs[i] as number);
    if (base === NO_MORE_DOCS) return 0;
    this.window.base = base;
    const end = base + BATCH_SIZE;
    for (let i = 0; i < docs.length; i++) {
      if ((docs[i] as number) >= end) continue;
      const scorer = scorers[i] as Scorer;
      docs[i] =
        scorer instanceof TermScorer ? scorer.drain(this.window, end) : drain(scorer, this.window, end, isScored);
    }
    return this.window.flush(into, scores);
  }
}

function drain(scorer: Scorer, window: ScoreWindow, end: number, isScored: boolean): number {
  const { sums, marks, base } = window;
  let { doc } = scorer;
  while (doc < end) {
    const at = doc - base;
    if (isScored) sums[at] = (sums[at] as number) + scorer.score();
    marks[at >>> 5] = (marks[at >>> 5] as number) | (1 << (at & 31));
    doc = scorer.next();
  }
  return doc;
}

/** Only documents that at least `minimum` scorers match. */
export class MinimumMatchDisjunction extends Summing {
  private readonly minimum: number;

  constructor(scorers: readonly Scorer[], minimum: number) {
    super(scorers);
    this.minimum = minimum;
  }

  override advance(target: number): number {
    let doc = super.advance(target);
    while (doc !== NO_MORE_DOCS && this.matchCount() < this.minimum) doc = super.advance(doc + 1);
    return doc;
  }

  private matchCount(): number {
    const { docs, doc } = this;
    let count = 0;
    for (let i = 0; i < docs.length; i++) if (docs[i] === doc) count++;
    return count;
  }
}

/** The best score, plus `tieBreaker` times each other one. */
export class MaxDisjunction extends Disjunction {
  private readonly tieBreaker: number;

  constructor(scorers: readonly Scorer[], tieBreaker: number) {
    super(scorers);
    this.tieBreaker = tieBreaker;
  }

  get bits(): DocBits | null {
    return unitedBits(this.scorers);
  }

  score(): number {
    const { docs, scorers, doc } = this;
    let max = 0;
    let sum = 0;
    for (let i = 0; i < docs.length; i++) {
      if (docs[i] !== doc) continue;
      const score = (scorers[i] as Scorer).score();
      sum += score;
      if (score > max) max = score;
    }
    return Math.fround(max + (sum - max) * this.tieBreaker);
  }
}

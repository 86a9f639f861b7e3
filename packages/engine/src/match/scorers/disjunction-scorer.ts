/**
 * Documents that at least one (or some number) of several scorers match.
 *
 * One document at a time over a flat array of the scorers' positions: queries have few clauses, and a scan of few numbers
 * beats a heap of objects.
 */
import { assert } from '@shoal/core';
import { NO_MORE_DOCS } from '../../format/reader/segment-reader.ts';
import { UnitedBits } from '../bits/doc-bits.ts';
import { type Candidates, candidateDocs, type DocBits, type DocIterator } from '../weight/doc-iterator.ts';
import { ScoreWindow } from '../weight/score-window.ts';
import { BATCH_SIZE, type Scorer } from '../weight/scorer.ts';
import { UnitedDocs } from '../weight/united-docs.ts';
import { TermScorer, UnscoredTerm } from './term-weight.ts';

abstract class Disjunction implements Scorer {
  doc = -1;
  readonly cost: number;
  /** Documents of any scorer, where some need a test; null where none does. */
  readonly candidates: Candidates | null;
  protected readonly scorers: readonly Scorer[];
  /** Current document of each scorer; -1: it was tested and does not match. */
  protected readonly docs: Int32Array;

  /** @param least scorers that must match a document */
  constructor(scorers: readonly Scorer[], least = 1) {
    this.scorers = scorers;
    this.candidates = scorers.some((one) => one.candidates) ? this.candidatesOf(least) : null;
    this.docs = new Int32Array(scorers.length).fill(-1);
    this.cost = scorers.reduce((sum, scorer) => sum + scorer.cost, 0);
    assert(scorers.length > 1, `a disjunction of ${scorers.length} scorers`);
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  private candidatesOf(least: number): Candidates {
    const tests = this.scorers.map((one) => one.candidates ?? null);
    const parts = this.scorers.map(candidateDocs);
    const docs = new UnitedDocs(parts);
    const matches = (): boolean => {
      const { doc } = docs;
      let count = 0;
      for (let i = 0; i < parts.length; i++) {
        const isIn = (parts[i] as DocIterator).doc === doc && (tests[i]?.matches() ?? true);
        this.docs[i] = isIn ? doc : -1;
        if (isIn) count++;
      }
      this.doc = doc;
      return count >= least;
    };
    return { docs, matches };
  }

  advance(target: number): number {
    const { docs, scorers, candidates } = this;
    if (candidates !== null) return this.advanceTested(candidates, target);
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

  private advanceTested({ docs, matches }: Candidates, target: number): number {
    let doc = docs.advance(target);
    while (doc !== NO_MORE_DOCS && !matches()) doc = docs.next();
    return (this.doc = doc);
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
      docs[i] = drain(scorers[i] as Scorer, this.window, end, isScored);
    }
    return this.window.flush(into, scores);
  }

  /** Adds what it has from the window's base on, up to `end`. */
  drain(window: ScoreWindow, end: number): void {
    const size = end - window.base;
    assert(size > 0 && size <= BATCH_SIZE, `a window of ${size} documents from ${window.base}`);
    const { docs, scorers } = this;
    for (let i = 0; i < docs.length; i++) {
      const scorer = scorers[i] as Scorer;
      if ((docs[i] as number) < window.base) docs[i] = scorer.advance(window.base);
      if ((docs[i] as number) < end) docs[i] = drain(scorer, window, end, true);
    }
  }
}

function drain(scorer: Scorer, window: ScoreWindow, end: number, isScored: boolean): number {
  if (scorer instanceof TermScorer || scorer instanceof UnscoredTerm) return scorer.drain(window, end);
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
  private window: ScoreWindow | null = null;
  /** Bits of the window's documents that at least one, two, ... scorers match: up to `minimum`. */
  private readonly levels: Uint32Array[];

  constructor(scorers: readonly Scorer[], minimum: number) {
    super(scorers, minimum);
    this.minimum = minimum;
    assert(minimum > 1 && minimum < scorers.length, `a minimum of ${minimum} among ${scorers.length} scorers`);
    this.levels = Array.from({ length: minimum }, () => new Uint32Array(BATCH_SIZE >> 5));
  }

  nextBatch(into: Uint32Array, scores: Float32Array, isScored: boolean): number {
    const { docs, scorers } = this;
    if (this.window === null) {
      this.window = new ScoreWindow();
      super.advance(0);
    }
    const { window } = this;
    for (;;) {
      let base = NO_MORE_DOCS;
      for (let i = 0; i < docs.length; i++) base = Math.min(base, docs[i] as number);
      if (base === NO_MORE_DOCS) return 0;
      window.base = base;
      const end = base + BATCH_SIZE;
      for (let i = 0; i < docs.length; i++) {
        if ((docs[i] as number) >= end) continue;
        docs[i] = drain(scorers[i] as Scorer, window, end, isScored);
        this.raise(window.marks);
      }
      window.marks.set(this.levels[this.minimum - 1] as Uint32Array);
      for (const level of this.levels) level.fill(0);
      const count = window.flush(into, scores);
      // Documents that too few scorers match still have their sums.
      window.sums.fill(0);
      if (count > 0) return count;
    }
  }

  /** Counts one scorer's documents, and clears them. */
  private raise(marks: Uint32Array): void {
    const { levels } = this;
    for (let k = levels.length - 1; k > 0; k--) {
      const level = levels[k] as Uint32Array;
      const below = levels[k - 1] as Uint32Array;
      for (let w = 0; w < marks.length; w++)
        level[w] = (level[w] as number) | ((below[w] as number) & (marks[w] as number));
    }
    const first = levels[0] as Uint32Array;
    for (let w = 0; w < marks.length; w++) first[w] = (first[w] as number) | (marks[w] as number);
    marks.fill(0);
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

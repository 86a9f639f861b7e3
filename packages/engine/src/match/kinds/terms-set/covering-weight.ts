/**
 * Documents that enough of several weights match, where each document says in a number field how many are enough.
 *
 * The rules of Lucene's CoveringQuery: a document without the number does not match, a number below one counts as one, the score
 * is the sum of the scores of all that match.
 */
import { assert } from '@shoal/core';
import { NO_MORE_DOCS, type NumericColumn, type SegmentView } from '../../../format/reader/segment-reader.ts';
import { explainWeight } from '../../explain/explain-weight.ts';
import type { Candidates } from '../../weight/doc-iterator.ts';
import { type Explanation, explained, explainedValue, noMatch } from '../../weight/explanation.ts';
import type { Scorer } from '../../weight/scorer.ts';
import { UnitedDocs } from '../../weight/united-docs.ts';
import { textOfWeight, type Weight } from '../../weight/weight.ts';

/** How many weights must match a document. */
export interface MinimumMatches {
  /** For explanations. */
  readonly text: string;
  /** null for the segment: no document has the number. A document's is at least 1; null: it has none. */
  bind(view: SegmentView): ((doc: number) => number | null) | null;
}

/** @param field path of a number field with doc values; the least of several values counts */
export function fieldMinimum(field: string): MinimumMatches {
  return {
    text: `long(${field})`,
    bind({ segment }) {
      const column = segment.numericColumn(field);
      return column && ((doc) => minimumAt(column, doc));
    },
  };
}

export function coveringWeight(weights: readonly Weight[], minimum: MinimumMatches): Weight {
  assert(weights.length > 0, `no weights for the minimum ${minimum.text}`);
  return {
    text: `CoveringQuery(queries=[${weights.map((weight) => textOfWeight(weight)).join(', ')}], minimumNumberMatch=${minimum.text})`,
    scorer(view) {
      const minimumOf = minimum.bind(view);
      if (minimumOf === null) return null;
      const scorers = weights.map((weight) => weight.scorer(view)).filter((scorer) => scorer !== null);
      return scorers.length === 0 ? null : new CoveringScorer(scorers, minimumOf);
    },
    explain: (view, doc) => explainCovering(weights, minimum, view, doc),
    count: () => -1,
  };
}

/** null: the document has no number. */
function minimumAt(column: NumericColumn, doc: number): number | null {
  const start = column.start(doc);
  return start === column.start(doc + 1) ? null : Math.max(1, Math.trunc(column.value(start)));
}

class CoveringScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  readonly candidates: Candidates;
  private readonly scorers: readonly Scorer[];
  private readonly docs: UnitedDocs;
  private readonly minimumOf: (doc: number) => number | null;

  constructor(scorers: readonly Scorer[], minimumOf: (doc: number) => number | null) {
    this.scorers = scorers;
    assert(scorers.length > 0, `a covering query of ${scorers.length} scorers`);
    this.minimumOf = minimumOf;
    this.docs = new UnitedDocs(scorers);
    this.cost = this.docs.cost;
    this.candidates = { docs: this.docs, matches: () => this.isCovered((this.doc = this.docs.doc)) };
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    let doc = this.docs.advance(target);
    while (doc !== NO_MORE_DOCS && !this.isCovered(doc)) doc = this.docs.next();
    return (this.doc = doc);
  }

  score(): number {
    let sum = 0;
    for (const scorer of this.scorers) if (scorer.doc === this.doc) sum += scorer.score();
    return Math.fround(sum);
  }

  private isCovered(doc: number): boolean {
    const minimum = this.minimumOf(doc);
    if (minimum === null || minimum > this.scorers.length) return false;
    let count = 0;
    for (const scorer of this.scorers) if (scorer.doc === doc) count++;
    return count >= minimum;
  }
}

function explainCovering(
  weights: readonly Weight[],
  least: MinimumMatches,
  view: SegmentView,
  doc: number,
): Explanation {
  const minimum = least.bind(view)?.(doc) ?? null;
  if (minimum === null) return noMatch('minimumNumberMatch has no value on the current document');
  const details = weights.map((weight) => explainWeight(weight, view, doc));
  const matching = details.filter(({ isMatch }) => isMatch);
  const text = `${matching.length} matches for ${minimum} required matches`;
  if (matching.length < minimum) return noMatch(text, details);
  const sum = Math.fround(matching.reduce((all, one) => all + explainedValue(one), 0));
  return explained(sum, `${text}, sum of:`, matching);
}

/**
 * A phrase of one field: terms in their places, or within `slop` moves of them.
 */
import { assert, FloatNumber } from '@shoal/core';
import { NO_NORM } from '../../bytes/small-float.ts';
import { NO_MORE_DOCS, type PostingsCursor, type SegmentView } from '../../format/reader/segment-reader.ts';
import { explainIdf, explainIdfSum, explainScore } from '../explain/explain-score.ts';
import { planOf } from '../kernel-plan/kernel-plan.ts';
import { type FieldScores, kernelScores } from '../similarities/field-scores.ts';
import { idf } from '../weight/bm25.ts';
import type { Candidates } from '../weight/doc-iterator.ts';
import { explained, explainedValue, noMatch } from '../weight/explanation.ts';
import type { LocatedTerm } from '../weight/located-term.ts';
import type { PhrasePosition } from '../weight/plan-shape.ts';
import type { Scorer } from '../weight/scorer.ts';
import type { KernelPlan, Weight } from '../weight/weight.ts';
import { ConjunctionScorer } from './conjunction-scorer.ts';
import { ExactMatcher, type PhraseMatcher, type PhrasePositions, SloppyMatcher } from './phrase-matcher.ts';
import type { StatisticsCache } from './statistics-cache.ts';
import { UnionCursor } from './union-cursor.ts';

export interface PhraseTerm {
  /** Any of these may stand in the place; at least one. */
  readonly terms: readonly Uint8Array[];
  /** Place in the phrase; gaps are words that analysis dropped. */
  readonly offset: number;
}

export interface PhraseWeightOptions {
  readonly field: string;
  /** At least two, by ascending offset. */
  readonly terms: readonly PhraseTerm[];
  readonly slop: number;
  readonly boost: number;
  readonly isScored: boolean;
}

/** `PhraseTerm` in the segments of a search. */
interface LocatedPosition {
  readonly terms: readonly LocatedTerm[];
  readonly offset: number;
}

export function phraseWeight(statistics: StatisticsCache, options: PhraseWeightOptions): Weight {
  const { field, terms, slop } = options;
  assert(terms.length > 1 && slop >= 0, `a phrase of ${terms.length} positions with slop ${slop} on ${field}`);
  for (const [i, { offset }] of terms.entries()) {
    const before = terms[i - 1]?.offset ?? -1;
    assert(offset > before, `offset ${offset} behind ${before} in a phrase on ${field}`);
  }
  const places = terms.map(({ offset, terms: choices }): LocatedPosition => {
    return { offset, terms: choices.map((term) => statistics.locate(field, term)) };
  });
  const scores = phraseScores(statistics, places, options);
  const groups = sharedTermGroups(terms);
  const plan = phrasePlan(places, slop, scores);
  const scorer = (view: SegmentView): PhraseScorer | null => {
    const cursors: PostingsCursor[] = [];
    for (const place of places) {
      const cursor = placeCursor(view, place);
      if (!cursor) return null;
      cursors.push(cursor);
    }
    const positions = places.map(({ offset, terms: choices }, i): PhrasePositions => {
      return {
        offset,
        group: groups[i] ?? -1,
        hasChoices: choices.length > 1,
        positions: new Uint32Array(16),
        count: 0,
      };
    });
    const matcher = slop === 0 ? new ExactMatcher(positions) : new SloppyMatcher(positions, slop);
    return new PhraseScorer(cursors, positions, matcher, scores, view.segment.norms(field));
  };
  const hasTerms = (view: SegmentView, doc: number): boolean =>
    places.every((place) => placeCursor(view, place)?.advance(doc) === doc);
  const text = textOfPhrase(options);
  return {
    text,
    ...(plan && { plan }),
    scorer,
    explain(view, doc) {
      const found = scorer(view);
      if (found?.advance(doc) !== doc) return noMatch(hasTerms(view, doc) ? 'no matching phrase' : 'no matching terms');
      if (scores === null) return explained(0, text);
      const fieldStatistics = statistics.field(field);
      const idfs = places
        .flatMap((place) => place.terms)
        .map((term) => explainIdf(statistics.located(term).docFreq, fieldStatistics.docCount));
      const { frequency } = found;
      return explainScore({
        text,
        doc,
        score: found.score(),
        scores,
        idf: explainIdfSum(
          idfs.reduce((sum, one) => sum + explainedValue(one), 0),
          idfs,
        ),
        freq: explained(frequency, `phraseFreq=${String(new FloatNumber(frequency))}`),
        norms: view.segment.norms(field),
        statistics: fieldStatistics,
      });
    },
    count: () => -1,
  };
}

/** `t:"quick ? fox"~2`: a place whose word was left out is a question mark. */
function textOfPhrase({ field, terms, slop }: PhraseWeightOptions): string {
  const words: string[] = [];
  for (const place of terms) {
    const texts = place.terms.map((term) => Buffer.from(term).toString('utf8'));
    while (words.length < place.offset) words.push('?');
    words.push(texts.length === 1 ? (texts[0] as string) : `(${texts.join(' ')})`);
  }
  return `${field}:"${words.join(' ')}"${slop === 0 ? '' : `~${slop}`}`;
}

/** Kernels know exact phrases of one term a place. */
function phrasePlan(located: readonly LocatedPosition[], slop: number, scores: FieldScores | null): KernelPlan | null {
  const bm25 = kernelScores(scores);
  if (bm25 === undefined) return null;
  const places: PhrasePosition[] = [];
  for (const { terms: choices, offset } of located) {
    const [term] = choices;
    if (slop > 0 || choices.length !== 1 || term === undefined) return null;
    places.push({ term, offset });
  }
  return planOf({ kind: 'phrase', places, bm25 });
}

function placeCursor(view: SegmentView, place: LocatedPosition): PostingsCursor | null {
  const cursors: PostingsCursor[] = [];
  for (const term of place.terms) {
    const cursor = term.postings(view);
    if (cursor) cursors.push(cursor);
  }
  const [first] = cursors;
  if (!first) return null;
  return cursors.length === 1 ? first : new UnionCursor(cursors);
}

/** The idf of a phrase is the sum of its terms'. */
function phraseScores(
  statistics: StatisticsCache,
  places: readonly LocatedPosition[],
  { field, boost, isScored }: PhraseWeightOptions,
): FieldScores | null {
  if (!isScored) return null;
  const { docCount } = statistics.field(field);
  const counts = places.flatMap((place) => place.terms).map((term) => statistics.located(term));
  const sum = counts.reduce((total, { docFreq }) => total + idf(docFreq, docCount), 0);
  const occurring = counts.filter(({ docFreq }) => docFreq > 0);
  return statistics.scores(field, { boost, idf: Math.fround(sum), terms: occurring });
}

/** Group of each place among those that share a term with another, directly or through others; -1 for the others. */
function sharedTermGroups(places: readonly PhraseTerm[]): number[] {
  const groups = places.map((_, i) => i);
  const seen = new Map<string, number>();
  for (const [i, place] of places.entries()) {
    for (const term of place.terms) {
      const key = Buffer.from(term).toString('latin1');
      const other = groups[seen.get(key) ?? i] ?? i;
      const own = groups[i] ?? i;
      for (const [at, group] of groups.entries()) if (group === own) groups[at] = other;
      seen.set(key, i);
    }
  }
  return groups.map((group) => (groups.filter((other) => other === group).length > 1 ? group : -1));
}

class PhraseScorer implements Scorer {
  doc = -1;
  readonly cost: number;
  readonly candidates: Candidates;
  private readonly approximation: ConjunctionScorer;
  private readonly cursors: readonly PostingsCursor[];
  private readonly places: readonly PhrasePositions[];
  private readonly matcher: PhraseMatcher;
  private readonly scores: FieldScores | null;
  private readonly norms: Uint8Array | null;
  /** Frequency of the phrase in the current document. */
  frequency = 0;

  constructor(
    cursors: readonly PostingsCursor[],
    places: readonly PhrasePositions[],
    matcher: PhraseMatcher,
    scores: FieldScores | null,
    norms: Uint8Array | null,
  ) {
    this.approximation = new ConjunctionScorer(cursors, []);
    assert(cursors.length === places.length, `${cursors.length} cursors for ${places.length} positions`);
    this.cost = this.approximation.cost;
    this.candidates = { docs: this.approximation, matches: () => this.matches() };
    this.cursors = cursors;
    this.places = places;
    this.matcher = matcher;
    this.scores = scores;
    this.norms = norms;
  }

  next(): number {
    return this.settle(this.approximation.next());
  }

  advance(target: number): number {
    return this.settle(this.approximation.advance(target));
  }

  private settle(start: number): number {
    let doc = start;
    while (doc !== NO_MORE_DOCS && !this.matches()) doc = this.approximation.next();
    return (this.doc = doc);
  }

  /** Whether the phrase is in the document, which has all of its terms. */
  private matches(): boolean {
    this.readPositions();
    this.doc = this.approximation.doc;
    this.frequency = this.matcher.frequency();
    return this.frequency > 0;
  }

  private readPositions(): void {
    for (let i = 0; i < this.cursors.length; i++) {
      const cursor = this.cursors[i] as PostingsCursor;
      const place = this.places[i] as PhrasePositions;
      const { freq } = cursor;
      if (place.positions.length < freq) place.positions = new Uint32Array(freq * 2);
      place.count = cursor.positions(place.positions);
    }
  }

  score(): number {
    if (this.scores === null) return 0;
    return this.scores.score(this.frequency, this.norms === null ? NO_NORM : (this.norms[this.doc] as number));
  }
}

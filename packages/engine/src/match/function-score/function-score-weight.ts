/**
 * Matches of a query with scores that functions change.
 */
import { FloatNumber, ShoalError } from '@shoal/core';
import type { BoostMode, ScoreMode } from '@shoal/query';
import { isLive } from '../../format/flat-segment.ts';
import { NO_MORE_DOCS, type SegmentView } from '../../format/reader/segment-reader.ts';
import { explainWeight, scorerAt } from '../explain/explain-weight.ts';
import type { Candidates } from '../weight/doc-iterator.ts';
import { DocTest } from '../weight/doc-test.ts';
import { type Explanation, explained, explainedValue, noMatch } from '../weight/explanation.ts';
import type { Scorer } from '../weight/scorer.ts';
import { hasPlainText, textOfWeight, type Weight } from '../weight/weight.ts';
import type { BoundFunction, ScoreFunction } from './score-functions.ts';

const FLOAT_MAX = Math.fround(3.4028234663852886e38);

export interface FilteredFunction {
  readonly score: ScoreFunction;
  /** null: all documents. */
  readonly filter: Weight | null;
  /** null: 1, and no part of the weights of an average. */
  readonly weight: number | null;
}

export interface FunctionScoreOptions {
  readonly query: Weight;
  readonly functions: readonly FilteredFunction[];
  readonly scoreMode: ScoreMode;
  readonly boostMode: BoostMode;
  readonly maxBoost: number | null;
  readonly minScore: number | null;
  /** Documents for which functions are computed; null: all. */
  readonly askedDocs: (view: SegmentView) => Uint8Array | null;
}

export function functionScoreWeight(options: FunctionScoreOptions): Weight {
  const { query, minScore } = options;
  return {
    text: textWith(textOfWeight(query), options),
    ...(hasPlainText(query) && { plainText: textWith(textOfWeight(query, 'plain'), options) }),
    scorer(view) {
      const matches = query.scorer(view);
      return matches && new FunctionScorer(matches, view, options);
    },
    explain(view, doc) {
      const inner = explainWeight(query, view, doc);
      if (!inner.isMatch) return inner;
      const scorer = scorerAt({ ...this, scorer: (of) => functionScorer(options, of) }, view, doc);
      const score = scorer?.score() ?? 0;
      const whole = explainScore(options, view, doc, inner, score);
      if (minScore === null || score >= minScore) return whole;
      return noMatch(scoreTooLow(minScore, score), [whole]);
    },
    count: (view) => (minScore === null ? query.count(view) : -1),
  };
}

/** Functions themselves have no text that would be the same for two requests. */
function textWith(query: string, { functions }: FunctionScoreOptions): string {
  return `function score (${query}${functions.length === 0 ? ', functions: []' : ''})`;
}

/** Why a match is none: numbers as Java prints a float. */
export function scoreTooLow(least: number, score: number): string {
  const [wanted, got] = [least, score].map((value) => String(new FloatNumber(Math.fround(value))));
  return `Score value is too low, expected at least ${wanted} but got ${got}`;
}

/** Without the least score, for explanations. */
function functionScorer(options: FunctionScoreOptions, view: SegmentView): Scorer | null {
  const matches = options.query.scorer(view);
  return matches && new FunctionScorer(matches, view, { ...options, minScore: null });
}

interface BoundPart {
  readonly score: BoundFunction;
  readonly filter: DocTest | null;
  /** The filter matches nothing here. */
  readonly isIdle: boolean;
  readonly weight: number | null;
}

class FunctionScorer implements Scorer {
  private readonly matches: Scorer;
  private readonly parts: readonly BoundPart[];
  private readonly options: FunctionScoreOptions;
  private readonly needsScore: boolean;
  private readonly asked: Uint8Array | null;

  constructor(matches: Scorer, view: SegmentView, options: FunctionScoreOptions) {
    this.matches = matches;
    this.options = options;
    this.asked = options.askedDocs(view);
    this.needsScore =
      options.boostMode !== 'replace' || options.functions.some(({ score }) => score.needsScore === true);
    this.parts = options.functions.map(({ score, filter, weight }) => {
      const scorer = filter?.scorer(view) ?? null;
      const test = scorer && new DocTest(scorer);
      return { score: score.bind(view), filter: test, isIdle: filter !== null && scorer === null, weight };
    });
  }

  get doc(): number {
    return this.matches.doc;
  }

  get cost(): number {
    return this.matches.cost;
  }

  get candidates(): Candidates | null {
    const { matches: inner } = this;
    const { minScore } = this.options;
    const tested = inner.candidates ?? null;
    if (minScore === null) return tested;
    const matches = (): boolean => (tested === null || tested.matches()) && this.score() >= minScore;
    return { docs: tested?.docs ?? inner, matches };
  }

  next(): number {
    return this.settle(this.matches.next());
  }

  advance(target: number): number {
    return this.settle(this.matches.advance(target));
  }

  private settle(start: number): number {
    const { minScore } = this.options;
    let doc = start;
    if (minScore !== null) while (doc !== NO_MORE_DOCS && this.score() < minScore) doc = this.matches.next();
    return doc;
  }

  score(): number {
    const { boostMode, maxBoost } = this.options;
    if (this.parts.length === 0) return this.matches.score();
    if (this.asked !== null && !isLive(this.asked, this.doc)) return 0;
    const queryScore = this.needsScore ? this.matches.score() : 0;
    const factor = Math.min(this.factor(queryScore), maxBoost ?? FLOAT_MAX);
    const score = combine(boostMode, queryScore, factor);
    if (score >= 0 && score !== Number.POSITIVE_INFINITY) return score;
    throw new ShoalError(
      'illegal_argument_exception',
      400,
      `function score query returned an invalid score: ${score} for doc: ${this.doc}`,
    );
  }

  /** The functions that count for the current document, as one number; 1 when none does. */
  private factor(queryScore: number): number {
    const { scoreMode } = this.options;
    const { doc, parts } = this;
    let result: number | null = null;
    let weights = 0;
    for (const part of parts) {
      if (!countsFor(part, doc)) continue;
      const value = part.score.score(doc, queryScore) * (part.weight ?? 1);
      weights += part.weight ?? 1;
      if (result === null) result = value;
      else result = joined(scoreMode, result, value);
      if (scoreMode === 'first') break;
    }
    if (result === null) return 1;
    if (scoreMode === 'avg') return weights === 0 ? 1 : result / weights;
    return scoreMode === 'sum' && weights === 0 ? 1 : result;
  }
}

function countsFor({ filter, isIdle }: BoundPart, doc: number): boolean {
  if (filter === null) return !isIdle;
  return filter.has(doc);
}

function joined(mode: ScoreMode, a: number, b: number): number {
  switch (mode) {
    case 'first':
      return a;
    case 'max':
      return Math.max(a, b);
    case 'min':
      return Math.min(a, b);
    case 'multiply':
      return a * b;
    case 'sum':
    case 'avg':
      return a + b;
  }
}

function combine(mode: BoostMode, query: number, factor: number): number {
  switch (mode) {
    case 'multiply':
      return Math.fround(query * factor);
    case 'replace':
      return Math.fround(factor);
    case 'sum':
      return Math.fround(query + factor);
    case 'avg':
      return Math.fround((query + factor) / 2);
    case 'max':
      return Math.fround(Math.max(query, factor));
    case 'min':
      return Math.fround(Math.min(query, factor));
  }
}

const COMBINATIONS: Readonly<Record<BoostMode, string>> = {
  multiply: 'function score, product of:',
  replace: 'min of:',
  sum: 'sum of:',
  avg: 'avg of',
  max: 'max of:',
  min: 'min of',
};

function explainScore(
  options: FunctionScoreOptions,
  view: SegmentView,
  doc: number,
  query: Explanation,
  score: number,
): Explanation {
  const { functions, scoreMode, boostMode } = options;
  const counting = functions.filter(({ filter }) => filter === null || scorerAt(filter, view, doc) !== null);
  if (functions.length === 0) return query;
  const used = scoreMode === 'first' ? counting.slice(0, 1) : counting;
  const each = used.map((one) => explainFunction(one, view, doc, query));
  const factor = factorOf(scoreMode, used, each.map(explainedValue));
  const [only] = each;
  const isPlain = each.length === 1 && only && functions.length === 1;
  const inner = isPlain
    ? only
    : each.length === 0
      ? explained(1, 'No function matched')
      : explained(factor, `function score, score mode [${scoreMode}]`, each);
  const maxBoost = options.maxBoost ?? FLOAT_MAX;
  const limited = explained(Math.min(factor, maxBoost), 'min of:', [inner, explained(maxBoost, 'maxBoost')]);
  return boostMode === 'replace'
    ? { ...limited, value: new FloatNumber(score) }
    : explained(score, COMBINATIONS[boostMode], [query, limited]);
}

function factorOf(mode: ScoreMode, used: readonly FilteredFunction[], values: readonly number[]): number {
  if (values.length === 0) return 1;
  const whole = values.reduce((a, b) => joined(mode, a, b));
  const weights = used.reduce((sum, { weight }) => sum + (weight ?? 1), 0);
  if (mode === 'avg') return weights === 0 ? 1 : whole / weights;
  return mode === 'sum' && weights === 0 ? 1 : whole;
}

function explainFunction(
  { score, filter, weight }: FilteredFunction,
  view: SegmentView,
  doc: number,
  query: Explanation,
): Explanation {
  const plain = score.bind(view).explain(doc, query);
  const weighed =
    weight === null
      ? plain
      : explained(explainedValue(plain) * weight, 'product of:', [plain, explained(weight, 'weight')]);
  if (filter === null) return weighed;
  const matched = explained(1, `match filter: ${textOfWeight(filter)}`);
  return explained(explainedValue(weighed), 'function score, product of:', [matched, weighed]);
}

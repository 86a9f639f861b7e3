/**
 * Boolean, dis_max and boosting queries over the weights of their clauses.
 */

import { assert, FloatNumber, illegalArgument } from '@shoal/core';
import type { SegmentView } from '../../format/reader/segment-reader.ts';
import { AllDocsScorer, ConstantScorer } from '../bits/constant-weight.ts';
import { explainBoolean, explainDisMax, nestedText, textOfBoolean } from '../explain/explain-boolean.ts';
import { explainWeight } from '../explain/explain-weight.ts';
import { bestPlan, booleanPlan } from '../kernel-plan/kernel-plan.ts';
import type { BooleanClauses } from '../weight/boolean-clauses.ts';
import { explained, explainedExactly, explainedValue } from '../weight/explanation.ts';
import { requiredByAny, requiredByClauses, requiredTerms } from '../weight/required-terms.ts';
import type { Scorer } from '../weight/scorer.ts';
import { hasPlainText, NONE_WEIGHT, noneWeight, textOfWeight, type Weight, type Wording } from '../weight/weight.ts';
import { ConjunctionScorer, DemotingScorer, ExclusionScorer, RequiredOptionalScorer } from './conjunction-scorer.ts';
import { MaxDisjunction, MinimumMatchDisjunction, SumDisjunction } from './disjunction-scorer.ts';

export function booleanWeight(clauses: BooleanClauses): Weight {
  const { must, filter, should, mustNot, minimumShouldMatch } = clauses;
  assert(minimumShouldMatch >= 0, `minimumShouldMatch ${minimumShouldMatch} of ${should.length} clauses`);
  if (minimumShouldMatch > should.length) return tooFewClauses(clauses);
  const isPlain = filter.length + mustNot.length === 0;
  const [first] = must;
  if (isPlain && must.length === 1 && should.length === 0 && first) return first;
  const [only] = should;
  if (isPlain && must.length === 0 && should.length === 1 && only) return only;
  const plan = booleanPlan(clauses);
  const scorer = (view: SegmentView): Scorer | null => booleanScorer(clauses, view);
  const constantScore = sameScore(clauses);
  return {
    text: textOfBoolean(clauses),
    isClauseList: true,
    ...([must, filter, should, mustNot].some((list) => list.some(hasPlainText)) && {
      plainText: textOfBoolean(clauses, 'plain'),
      isPlainList: true,
    }),
    ...(plan && { plan }),
    ...(constantScore !== null && { constantScore }),
    scorer,
    requiredTerms: () => requiredByClauses(clauses),
    explain: (view, doc) => explainBoolean(clauses, view, doc, scoreAt(scorer(view), doc)),
    count: () => -1,
  };
}

/** A minimum that more clauses would have to match than there are. */
function tooFewClauses(clauses: BooleanClauses): Weight {
  const none = noneWeight('SHOULD clause count less than minimumNumberShouldMatch');
  return { ...none, plainText: textOfBoolean(clauses, 'plain'), isPlainList: true };
}

/** The score that every match has; null when they differ, or may. */
function sameScore({ must, should }: BooleanClauses): number | null {
  if (should.length > 0 || must.length > 1) return null;
  const [only] = must;
  return only === undefined ? 0 : (only.constantScore ?? null);
}

/** null: no match. */
function scoreAt(scorer: Scorer | null, doc: number): number | null {
  return scorer?.advance(doc) === doc ? scorer.score() : null;
}

function booleanScorer(clauses: BooleanClauses, view: SegmentView): Scorer | null {
  const included = includedScorer(clauses, view);
  if (!included) return null;
  const excluded = scorersOf(clauses.mustNot, view);
  if (excluded.length === 0) return included;
  const [only] = excluded;
  return new ExclusionScorer(included, excluded.length === 1 && only ? only : new SumDisjunction(excluded));
}

function includedScorer(clauses: BooleanClauses, view: SegmentView): Scorer | null {
  const must = scorersOf(clauses.must, view);
  const filter = scorersOf(clauses.filter, view);
  if (must.length < clauses.must.length || filter.length < clauses.filter.length) return null;
  const should = scorersOf(clauses.should, view);
  const hasRequired = must.length + filter.length > 0;
  const minimum = clauses.minimumShouldMatch;
  if (should.length < minimum) return null;
  if (clauses.should.length === 0 || (minimum === 0 && should.length === 0 && hasRequired)) {
    return required(must, filter, view);
  }
  if (!hasRequired) return disjunction(should, Math.max(1, minimum));
  if (minimum > 0) {
    const optional = disjunction(should, minimum);
    return optional && new ConjunctionScorer([...must, ...filter, optional], [...must, optional]);
  }
  const optional = disjunction(should, 1);
  const base = required(must, filter, view);
  return optional ? new RequiredOptionalScorer(base, optional) : base;
}

/** Without any required clause every document is included, and scores nothing. */
function required(must: readonly Scorer[], filter: readonly Scorer[], view: SegmentView): Scorer {
  const all = [...must, ...filter];
  const [only] = all;
  if (!only) return new AllDocsScorer(view.segment.docCount, 0);
  if (all.length > 1) return new ConjunctionScorer(all, must);
  return must.length === 1 ? only : new ConstantScorer(only, 0);
}

function disjunction(should: readonly Scorer[], minimum: number): Scorer | null {
  const [only] = should;
  if (!only) return null;
  if (should.length === 1) return only;
  assert(minimum >= 1 && minimum <= should.length, `a minimum of ${minimum} among ${should.length} scorers`);
  if (minimum === should.length) return new ConjunctionScorer(should, should);
  return minimum > 1 ? new MinimumMatchDisjunction(should, minimum) : new SumDisjunction(should);
}

function scorersOf(weights: readonly Weight[], view: SegmentView): Scorer[] {
  const scorers: Scorer[] = [];
  for (const weight of weights) {
    const scorer = weight.scorer(view);
    if (scorer) scorers.push(scorer);
  }
  return scorers;
}

/** @throws ShoalError for a share of the other scores that is none */
export function checkTieBreaker(tieBreaker: number): void {
  if (!(tieBreaker >= 0 && tieBreaker <= 1)) throw illegalArgument('tieBreakerMultiplier must be in [0, 1]');
}

export function disMaxWeight(weights: readonly Weight[], tieBreaker: number): Weight {
  const [only] = weights;
  if (!only) return NONE_WEIGHT;
  if (weights.length === 1) return only;
  const scorer = (view: SegmentView): Scorer | null => {
    const scorers = scorersOf(weights, view);
    const [single] = scorers;
    if (!single) return null;
    return scorers.length === 1 ? single : new MaxDisjunction(scorers, tieBreaker);
  };
  const plan = bestPlan(weights, tieBreaker);
  const share = tieBreaker === 0 ? '' : `~${String(new FloatNumber(tieBreaker))}`;
  const text = (wording: Wording) => `(${weights.map((weight) => nestedText(weight, wording)).join(' | ')})${share}`;
  return {
    text: text('rewritten'),
    ...(weights.some(hasPlainText) && { plainText: text('plain') }),
    ...(plan && { plan }),
    scorer,
    requiredTerms: () => requiredByAny(weights),
    explain: (view, doc) => explainDisMax(weights, tieBreaker, { view, doc, score: scoreAt(scorer(view), doc) }),
    count: () => -1,
  };
}

/**
 * Matches of `positive`, those of `negative` too with less of their score.
 *
 * @param factor of the scores of matches of both
 * @param boost of the query, which its clauses do not have: a least score within them is one without it
 */
export function boostingWeight(positive: Weight, negative: Weight, factor: number, boost: number): Weight {
  assert(!(factor < 0), `a boosting query with the negative factor ${factor}`);
  const textIn = (wording: Wording) =>
    `FunctionScoreQuery(${textOfWeight(positive, wording)}, scored by boost(queryboost(score(${textOfWeight(negative, wording)}))^${String(new FloatNumber(factor))}))`;
  const text = textIn('rewritten');
  return {
    text,
    ...((hasPlainText(positive) || hasPlainText(negative)) && { plainText: textIn('plain') }),
    scorer(view) {
      const matches = positive.scorer(view);
      const demoted = matches && negative.scorer(view);
      return demoted || (matches && boost !== 1) ? new DemotingScorer(matches, demoted, factor, boost) : matches;
    },
    explain(view, doc) {
      const inner = explainWeight(positive, view, doc);
      if (!inner.isMatch) return inner;
      const isDemoted = scoreAt(negative.scorer(view), doc) !== null;
      const by = explained(factor, `Matched boosting query score(${textOfWeight(negative)})`);
      const own = isDemoted ? explainedExactly(explainedValue(inner) * factor, 'product of:', [inner, by]) : inner;
      if (boost === 1) return explainedExactly(own.value, `weight(${text}), result of:`, [own]);
      const score = Math.fround(explainedValue(own) * boost);
      return explained(score, `weight(${text}), product of:`, [explained(boost, 'boost'), own]);
    },
    requiredTerms: () => requiredTerms(positive),
    count: (view) => positive.count(view),
  };
}

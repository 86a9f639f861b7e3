/**
 * Queries that the kernels run whole: any or all of some terms, an exact phrase, or clauses of terms, perhaps beside filters.
 *
 * A weight that has a plan also has a scorer, and both find the same documents with the same scores: which one runs is a
 * matter of speed alone. So a plan has clauses only where the scorers round, too.
 */

import { assert } from '@shoal/core';
import type { BooleanClauses } from '../weight/boolean-clauses.ts';
import {
  type ClausesShape,
  type PlanClause,
  type PlanShape,
  type PlanTerm,
  termsOfShape,
} from '../weight/plan-shape.ts';
import type { KernelPlan, Weight } from '../weight/weight.ts';

export function planOf(shape: PlanShape): KernelPlan {
  const size = shape.kind === 'phrase' ? shape.places.length - 1 : termsOfShape(shape).length;
  assert(size > 0, `a plan of kind ${shape.kind} with ${size} terms`);
  if (shape.kind === 'clauses') checkClauses(shape);
  return { shape, filter: [], excluded: [] };
}

function checkClauses({ clauses, needed }: ClausesShape): void {
  const optional = clauses.filter(({ isRequired }) => !isRequired).length;
  assert(needed >= 0 && needed <= optional, `${needed} of ${optional} optional clauses are needed`);
  assert(needed > 0 || optional < clauses.length, `none of ${clauses.length} clauses has to match`);
  for (const { terms, needed: least } of clauses)
    assert(least >= 1 && least <= terms.length, `a clause needs ${least} of ${terms.length} terms`);
}

/** The plan of a boolean query; null when it is of another shape. */
export function booleanPlan(clauses: BooleanClauses): KernelPlan | null {
  const { must, filter, should, mustNot, minimumShouldMatch } = clauses;
  if (must.length + should.length === 0) {
    const [first, ...others] = filter;
    return first?.plan ? beside(first.plan, others, mustNot) : null;
  }
  // Without a minimum the clauses are optional beside a filter.
  if (must.length === 0 && filter.length > 0 && minimumShouldMatch === 0) return null;
  const plan = should.length === 0 ? mustPlan(must) : must.length === 0 ? shouldPlan(clauses) : mixedPlan(clauses);
  return beside(plan, filter, mustNot);
}

/** The plan of the best of several queries; null when one is no sum of terms, or no bound holds for such a tie breaker. */
export function bestPlan(weights: readonly Weight[], tieBreaker: number): KernelPlan | null {
  if (!(tieBreaker >= 0 && tieBreaker <= 1)) return null;
  const clauses = clausesOf(weights, false);
  return clauses && planOf({ kind: 'clauses', clauses, needed: 1, tieBreaker });
}

function mustPlan(must: readonly Weight[]): KernelPlan | null {
  const [only] = must;
  if (must.length === 1) return only?.plan ?? null;
  const terms = singleTerms(must);
  if (terms !== null) return planOf({ kind: 'all', terms });
  return sumPlan(clausesOf(must, true), 0);
}

function shouldPlan({ should, minimumShouldMatch }: BooleanClauses): KernelPlan | null {
  const [only] = should;
  if (should.length === 1) return only?.plan ?? null;
  const needed = Math.max(1, minimumShouldMatch);
  if (needed > 1 && needed === should.length) return mustPlan(should);
  const terms = singleTerms(should);
  if (terms === null) return sumPlan(clausesOf(should, false), needed);
  if (needed === 1) return planOf({ kind: 'any', terms });
  return sumPlan([{ terms, needed, isRequired: true }], 0);
}

function mixedPlan({ must, should, minimumShouldMatch: minimum }: BooleanClauses): KernelPlan | null {
  const optional = oneClause(should, Math.max(1, minimum), minimum > 0);
  // The scorers round the sum of what is required before they add what is optional.
  const required = minimum > 0 ? clausesOf(must, true) : listed(oneClause(must, must.length, true));
  return optional && required && sumPlan([...required, optional], 0);
}

function sumPlan(clauses: readonly PlanClause[] | null, needed: number): KernelPlan | null {
  return clauses && planOf({ kind: 'clauses', clauses, needed, tieBreaker: null });
}

/** Several single terms as one clause, or a single weight of any terms; null for others. */
function oneClause(weights: readonly Weight[], needed: number, isRequired: boolean): PlanClause | null {
  const [only] = weights;
  if (weights.length === 1 && only) return clauseOf(only, isRequired);
  const terms = singleTerms(weights);
  return terms && { terms, needed, isRequired };
}

function listed(clause: PlanClause | null): readonly PlanClause[] | null {
  return clause && [clause];
}

/** A clause for each weight; null when one is no sum of terms. */
function clausesOf(weights: readonly Weight[], isRequired: boolean): readonly PlanClause[] | null {
  const clauses = weights.map((weight) => clauseOf(weight, isRequired)).filter((clause) => clause !== null);
  return clauses.length === weights.length ? clauses : null;
}

function clauseOf({ plan }: Weight, isRequired: boolean): PlanClause | null {
  if (!plan || plan.filter.length + plan.excluded.length > 0) return null;
  const { shape } = plan;
  if (shape.kind === 'phrase') return null;
  if (shape.kind !== 'clauses')
    return { terms: shape.terms, needed: shape.kind === 'any' ? 1 : shape.terms.length, isRequired };
  const [only] = shape.clauses;
  return shape.clauses.length === 1 && only ? { ...only, isRequired } : null;
}

/** Terms of weights that are a term each; null when one is something else. */
function singleTerms(weights: readonly Weight[]): readonly PlanTerm[] | null {
  const terms: PlanTerm[] = [];
  for (const weight of weights) {
    const clause = clauseOf(weight, true);
    if (clause?.terms.length !== 1) return null;
    terms.push(...clause.terms);
  }
  return terms;
}

function beside(plan: KernelPlan | null, filter: readonly Weight[], excluded: readonly Weight[]): KernelPlan | null {
  if (plan === null) return null;
  return { shape: plan.shape, filter: [...plan.filter, ...filter], excluded: [...plan.excluded, ...excluded] };
}

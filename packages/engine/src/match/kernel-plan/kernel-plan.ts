/**
 * Queries that the kernels run whole: any or all of some terms, or an exact phrase, perhaps beside filters.
 *
 * A weight that has a plan also has a scorer, and both find the same documents with the same scores: which one runs is a
 * matter of speed alone.
 */

import { assert } from '@shoal/core';
import type { BooleanClauses } from '../weight/boolean-clauses.ts';
import type { PlanShape, PlanTerm } from '../weight/plan-shape.ts';
import type { KernelPlan, Weight } from '../weight/weight.ts';

export function planOf(shape: PlanShape): KernelPlan {
  const size = shape.kind === 'phrase' ? shape.places.length - 1 : shape.terms.length;
  assert(size > 0, `a plan of kind ${shape.kind} with ${size} terms`);
  return { shape, filter: [], excluded: [] };
}

/** The plan of a boolean query; null when it is of another shape. */
export function booleanPlan({ must, filter, should, mustNot, minimumShouldMatch }: BooleanClauses): KernelPlan | null {
  if (must.length > 0 && should.length > 0) return null;
  if (must.length > 0) return beside(sumPlan(must, 'all'), filter, mustNot);
  if (should.length > 0) {
    // Without a minimum the clauses are optional beside a filter.
    if (filter.length > 0 && minimumShouldMatch === 0) return null;
    if (minimumShouldMatch > 1 && minimumShouldMatch < should.length) return null;
    return beside(sumPlan(should, minimumShouldMatch > 1 ? 'all' : 'any'), filter, mustNot);
  }
  const [first, ...others] = filter;
  return first?.plan ? beside(first.plan, others, mustNot) : null;
}

/** Clauses whose scores are summed: one of any shape, or several that are single terms. */
function sumPlan(clauses: readonly Weight[], kind: 'any' | 'all'): KernelPlan | null {
  const [first] = clauses;
  if (clauses.length === 1) return first?.plan ?? null;
  const terms: PlanTerm[] = [];
  for (const { plan } of clauses) {
    if (!plan || plan.filter.length + plan.excluded.length > 0) return null;
    const { shape } = plan;
    if (shape.kind === 'phrase' || shape.terms.length !== 1) return null;
    terms.push(...shape.terms);
  }
  return planOf({ kind, terms });
}

function beside(plan: KernelPlan | null, filter: readonly Weight[], excluded: readonly Weight[]): KernelPlan | null {
  if (plan === null) return null;
  return { shape: plan.shape, filter: [...plan.filter, ...filter], excluded: [...plan.excluded, ...excluded] };
}

/**
 * Terms without which a query matches nothing: what rules out most stored queries before any of them is run.
 */
import { assert } from '@shoal/core';
import type { BooleanClauses } from './boolean-clauses.ts';
import { type ClausesShape, type PlanShape, termsOfShape } from './plan-shape.ts';
import type { RequiredTerm, RequiredTerms, Weight } from './weight.ts';

export function requiredTerms({ plan, requiredTerms: own }: Weight): RequiredTerms {
  return plan === undefined || plan.shape.kind === 'clauses' ? (own?.() ?? null) : ofShape(plan.shape);
}

/** Those of a clause that must match, the rarest as far as can be told; of all optional ones where one of them must match. */
export function requiredByClauses({ must, filter, should, minimumShouldMatch }: BooleanClauses): RequiredTerms {
  const isAnyNeeded = minimumShouldMatch > 0 || (must.length + filter.length === 0 && should.length > 0);
  const candidates = [...must, ...filter].map(requiredTerms);
  if (isAnyNeeded) candidates.push(requiredByAny(should));
  return candidates.reduce((best, one) => (isRarer(one, best) ? one : best), null);
}

/** Those of weights of which a match has at least one. */
export function requiredByAny(weights: readonly Weight[]): RequiredTerms {
  const all: RequiredTerm[] = [];
  for (const weight of weights) {
    const terms = requiredTerms(weight);
    if (terms === null) return null;
    all.push(...terms);
  }
  return all;
}

function ofShape(shape: Exclude<PlanShape, ClausesShape>): RequiredTerms {
  // They are kept beyond the search, whose segments must not stay for them.
  const terms = termsOfShape(shape).map(({ term: { field, bytes } }) => ({ field, term: bytes }));
  return shape.kind === 'any' ? terms : [rarest(terms)];
}

/** Long words are rarer than short ones. */
function rarest(terms: readonly RequiredTerm[]): RequiredTerm {
  assert(terms.length > 0, 'a query that needs each of no terms');
  return terms.reduce((best, one) => (one.term.length > best.term.length ? one : best));
}

function isRarer(terms: RequiredTerms, than: RequiredTerms): boolean {
  if (terms === null || than === null) return terms !== null;
  if (terms.length !== than.length) return terms.length < than.length;
  return shortest(terms) > shortest(than);
}

function shortest(terms: readonly RequiredTerm[]): number {
  return terms.reduce((least, { term }) => Math.min(least, term.length), Number.POSITIVE_INFINITY);
}

/**
 * Shapes of queries that kernels run whole: any or all of some terms, an exact phrase, or clauses of terms.
 */
import { unreachable } from '@shoal/core';
import type { Bm25 } from './bm25.ts';
import type { LocatedTerm } from './located-term.ts';

export interface PlanTerm {
  readonly term: LocatedTerm;
  /** null: not scored. */
  readonly bm25: Bm25 | null;
}

export interface PhrasePosition {
  readonly term: LocatedTerm;
  /** Place in the phrase, counted from that of the first. */
  readonly offset: number;
}

/** Terms whose scores are summed, and the sum rounded to float32. */
export interface PlanClause {
  /** At least one. */
  readonly terms: readonly PlanTerm[];
  /** Terms that must match for the clause to match: 1 to all of them. */
  readonly needed: number;
  /** No document matches without the clause. */
  readonly isRequired: boolean;
}

export interface ClausesShape {
  readonly kind: 'clauses';
  readonly clauses: readonly PlanClause[];
  /** Optional clauses that must match; 0 only where some are required. */
  readonly needed: number;
  /** null: the scores of the clauses that match are summed. Else the best one counts, and this share (0..1) of the others. */
  readonly tieBreaker: number | null;
}

export type PlanShape =
  /** At least one term. */
  | { readonly kind: 'any' | 'all'; readonly terms: readonly PlanTerm[] }
  /** At least two places. */
  | {
      readonly kind: 'phrase';
      readonly places: readonly PhrasePosition[];
      readonly bm25: Bm25 | null;
    }
  | ClausesShape;

/** Terms of the shape, those of clauses one clause behind the other. */
export function termsOfShape(shape: PlanShape): readonly PlanTerm[] {
  switch (shape.kind) {
    case 'any':
    case 'all':
      return shape.terms;
    case 'phrase':
      return shape.places.map(({ term }) => ({ term, bm25: shape.bm25 }));
    case 'clauses':
      return shape.clauses.flatMap(({ terms }) => terms);
    default:
      return unreachable(shape);
  }
}

/** True when every match has a score of its own, so that hits can be ranked by it. */
export function isScored({ shape }: { readonly shape: PlanShape }): boolean {
  return termsOfShape(shape).every(({ bm25 }) => bm25 !== null);
}

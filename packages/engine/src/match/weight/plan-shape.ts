/**
 * Shapes of queries that kernels run whole: any or all of some terms, or an exact phrase.
 */
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

export type PlanShape =
  /** At least one term. */
  | { readonly kind: 'any' | 'all'; readonly terms: readonly PlanTerm[] }
  /** At least two places. */
  | {
      readonly kind: 'phrase';
      readonly places: readonly PhrasePosition[];
      readonly bm25: Bm25 | null;
    };

/** True when every match has a score of its own, so that hits can be ranked by it. */
export function isScored({ shape }: { readonly shape: PlanShape }): boolean {
  return shape.kind === 'phrase' ? shape.bm25 !== null : shape.terms.every(({ bm25 }) => bm25 !== null);
}

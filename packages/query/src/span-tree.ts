/**
 * Span queries: stretches of positions of one field, built of terms.
 */
import type { FuzzyQuery, PatternQuery, QueryValue } from './query-tree.ts';

export type Span =
  | { readonly kind: 'term'; readonly field: string; readonly value: QueryValue }
  /** Any of the terms that a pattern finds. */
  | { readonly kind: 'multi'; readonly query: PatternQuery | FuzzyQuery }
  | {
      readonly kind: 'near';
      readonly clauses: readonly Span[];
      /** Positions that may lie between the clauses, all together. */
      readonly slop: number;
      readonly isOrdered: boolean;
    }
  /** Inside an ordered `near`: so many positions of whatever stands there. */
  | { readonly kind: 'gap'; readonly field: string; readonly width: number }
  | { readonly kind: 'or'; readonly clauses: readonly Span[] }
  | {
      readonly kind: 'not';
      readonly include: Span;
      readonly exclude: Span;
      /** Positions before and behind that must be free of `exclude` too. */
      readonly pre: number;
      readonly post: number;
    }
  /** Stretches that end at or before a position. */
  | { readonly kind: 'first'; readonly match: Span; readonly end: number }
  /** `containing`: the big ones that hold a little one; `within`: the little ones that a big one holds. */
  | { readonly kind: 'containing' | 'within'; readonly big: Span; readonly little: Span }
  /** Passes for a span of another field. */
  | { readonly kind: 'masked'; readonly field: string; readonly query: Span };

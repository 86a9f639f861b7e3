/**
 * Spans: ranges of positions of one field, built of terms.
 */

import type { QueryValue } from '../../node/query-node.ts';
import type { FuzzyQuery } from '../fuzzy/fuzzy.ts';
import type { PatternQuery } from '../pattern/pattern-query.ts';

/** Spans inside spans. */
export const SPAN_NESTING_MAX = 30;

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
  /** Inside an ordered `near`: a number of positions with any terms. */
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
  /** Ranges that end at or before a position. */
  | { readonly kind: 'first'; readonly match: Span; readonly end: number }
  /** `containing`: the big ranges that hold a little one; `within`: the little ones that a big one holds. */
  | { readonly kind: 'containing' | 'within'; readonly big: Span; readonly little: Span }
  /** A span that counts for another field. */
  | { readonly kind: 'masked'; readonly field: string; readonly query: Span };

/** A span inside another of which hits say whether they match it. */
export interface NamedSpan {
  readonly name: string;
  readonly span: Span;
}

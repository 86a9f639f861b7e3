/**
 * Compiled clauses of a boolean query.
 */
import type { Weight } from './weight.ts';

export interface BooleanClauses {
  readonly must: readonly Weight[];
  readonly filter: readonly Weight[];
  readonly should: readonly Weight[];
  readonly mustNot: readonly Weight[];
  /** How many of `should` must match; 0 makes them optional beside `must` and `filter`. */
  readonly minimumShouldMatch: number;
}

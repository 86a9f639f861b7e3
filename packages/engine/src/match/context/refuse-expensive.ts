/**
 * Refusals of queries that look at much more than they match: those that `search.allow_expensive_queries` forbids.
 */
import { assert, ShoalError } from '@shoal/core';
import type { FieldMapping } from '@shoal/schema';
import { type CompileContext, FORBIDDEN_TYPE } from './compile-context.ts';

/** Name of a group of queries in its refusal. */
export type ExpensiveQueries =
  | 'fuzzy'
  | 'joining'
  | 'percolate'
  | 'prefix'
  | 'range'
  | 'regexp'
  | 'script'
  | 'script score'
  | 'wildcard';

type Refusing = Pick<CompileContext, 'refusesExpensive' | 'exemptPatterns'>;

const FORBIDDEN = "cannot be executed when 'search.allow_expensive_queries' is set to false.";

/** @throws exception where queries of the group are forbidden */
export function refuseExpensive({ refusesExpensive, exemptPatterns }: Refusing, queries: ExpensiveQueries): void {
  if (refusesExpensive !== true || queries === exemptPatterns) return;
  const where = queries === 'range' ? ' on [text] or [keyword] fields' : '';
  const advice =
    queries === 'prefix' ? ' For optimised prefix queries on text fields please enable [index_prefixes].' : '';
  throw new ShoalError(FORBIDDEN_TYPE, 500, `[${queries}] queries${where} ${FORBIDDEN}${advice}`);
}

/** `refuseExpensive` of prefixes, but for those of a length that the field indexes. */
export function refuseExpensivePrefix(ctx: Refusing, { prefixLengths }: FieldMapping, prefix: string): void {
  assert(prefixLengths === null || prefixLengths.min <= prefixLengths.max, 'prefixes of no length are indexed');
  // The terms of one more letter are those that the shortest prefix without an own term stands for.
  const isIndexed =
    prefixLengths !== null && prefix.length >= prefixLengths.min - 1 && prefix.length <= prefixLengths.max;
  if (!isIndexed) refuseExpensive(ctx, 'prefix');
}

/** @throws exception where a query looks at a runtime field and such queries are forbidden */
export function refuseRuntimeField({ refusesExpensive }: Refusing, field: FieldMapping | null): void {
  if (refusesExpensive !== true || field?.runtime == null) return;
  const reason =
    'queries cannot be executed against runtime fields while [search.allow_expensive_queries] is set to [false].';
  throw new ShoalError(FORBIDDEN_TYPE, 500, reason);
}

/**
 * Whether the values of `search_after` are those of the sort. Checked when the query is made: what is wrong fails on every shard.
 */
import { illegalArgument } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';

/** @throws ShoalError for a cursor without a sort, or with another number of values */
export function checkSearchAfter({ searchAfter, sort }: SearchRequest): void {
  if (searchAfter === null) return;
  if (sort.length === 0) throw illegalArgument('Sort must contain at least one field.');
  if (searchAfter.length !== sort.length)
    throw illegalArgument(`search_after has ${searchAfter.length} value(s) but sort has ${sort.length}.`);
}

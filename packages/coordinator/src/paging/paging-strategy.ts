/**
 * Which way the entries of a page come from the shards, by what each would cost.
 */
import { illegalArgument } from '@shoal/core';
import type { SearchRequest } from '@shoal/query';

export type PagingWay =
  /** Every shard sends all entries up to the end of the page. */
  | 'classical'
  /** The only shard finds the page itself. */
  | 'own_rank'
  /** Shards send their entries in pieces, as far as they are needed. */
  | 'lazy_merge'
  /** The entries before the page are counted, not sent. */
  | 'rank_selection';

/** Entries that one round may bring to the coordinator. */
const CLASSICAL_ENTRIES_MAX = 50_000;
/** Further back, pieces would add up to more than a selection costs. */
const MERGED_RANK_MAX = 10_000;

export function pagingWay(request: SearchRequest, shardCount: number, isScroll: boolean): PagingWay {
  const { from, size } = request;
  const wanted = from + size;
  if (size === 0 || isScroll || shardCount * wanted <= CLASSICAL_ENTRIES_MAX) return 'classical';
  if (needsAllEntries(request)) {
    if (wanted <= MERGED_RANK_MAX) return 'classical';
    throw illegalArgument(
      `[collapse] and [rescore] are for pages up to entry [${MERGED_RANK_MAX}], from + size was [${wanted}]`,
    );
  }
  // Behind an entry the page is the first one: nothing stands before it that could be counted.
  if (request.searchAfter !== null) return wanted <= MERGED_RANK_MAX || shardCount > 1 ? 'lazy_merge' : 'classical';
  if (shardCount === 1) return 'own_rank';
  return wanted <= MERGED_RANK_MAX ? 'lazy_merge' : 'rank_selection';
}

/** Groups and scores that change with the page are known only where all entries up to it are. */
function needsAllEntries({ collapse, rescore }: SearchRequest): boolean {
  return collapse !== null || rescore.length > 0;
}

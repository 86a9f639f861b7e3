/**
 * Pages by rank: what a shard is asked when it shall not send all entries up to the page, and what it answers.
 *
 * A shard keeps its matches in order for as long as the search lasts. The coordinator narrows down which of them stand
 * before the page: it is shown a few of them, says between which two entries it looks, and is shown a few of those.
 */
import type { SortColumn } from '../columns/sort-column.ts';
import type { ShardQueryResult } from './shard-results.ts';

/** How the shard finds what is asked of it. */
export type RankAsk =
  /** The only shard of a search: entries from..from+size of its own order, of which no list is kept. */
  | { readonly kind: 'page'; readonly from: number; readonly size: number }
  /** The first entries, as many as the query asks for, are kept in order. */
  | { readonly kind: 'top'; readonly round: RankRound }
  /** All matches are kept in order. */
  | { readonly kind: 'list'; readonly round: RankRound };

/** One question about a kept list. */
export interface RankRound {
  /** Entries before this one are before the page; null: not known. */
  readonly lower: RankPivot | null;
  /** This entry and those behind it are not before the page; null: not known. */
  readonly upper: RankPivot | null;
  /** The window in positions, further narrowed by the two. */
  readonly from: number;
  readonly to: number;
  /** Entries of the window that are shown, evenly spaced. */
  readonly pivots: number;
  /** The whole window is sent, and so many entries behind it; null: nothing is sent. */
  readonly tail: number | null;
}

/** An entry of some shard that others are compared with. */
export interface RankPivot {
  /** Its keys: one entry a column. */
  readonly columns: readonly SortColumn[];
  /** Position of its shard in the list of the search. */
  readonly shardIndex: number;
  readonly position: number;
}

/** Neighbouring entries of a list. */
export interface RankEntries {
  readonly columns: readonly SortColumn[];
  /** Scores beside the keys; null where they are not wanted. */
  readonly scores: Float32Array | null;
  readonly ords: Uint32Array;
}

export interface RankAnswer {
  /** Names the list in later rounds; null when none is kept. */
  readonly listId: number | null;
  /** Entries of the list. */
  readonly count: number;
  /** Entries before `lower`; 0 without it. */
  readonly below: number;
  /** Entries before `upper`; all without it. */
  readonly above: number;
  readonly pivots: { readonly positions: Uint32Array; readonly columns: readonly SortColumn[] };
  /** Position of the first entry that is sent. */
  readonly first: number;
  readonly entries: RankEntries;
}

/** Answer of the first round: what a query tells beside its hits, whose entries are in `rank`. */
export interface RankedQueryResult {
  readonly result: ShardQueryResult;
  readonly rank: RankAnswer;
}

/** A later round. */
export interface RankRoundRequest {
  readonly contextId: number;
  readonly listId: number;
  readonly round: RankRound;
  /** Position of the shard among all of the search: pivots of others are before or behind equal entries by it. */
  readonly shardIndex: number;
}

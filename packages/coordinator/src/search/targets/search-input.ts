/**
 * What a search is asked with, beside the state of the cluster.
 */
import type { CancelFlag } from '@shoal/core';
import type { ParsedSearch } from '@shoal/query';
import type { IndicesOptions } from '../../indices/indices-options.ts';

export const DEFAULT_CONCURRENT_SHARD_REQUESTS = 5;
export const DEFAULT_BATCHED_REDUCE_SIZE = 512;

export interface SearchInput {
  /** Index expression; null: all. */
  readonly expression: string | null;
  readonly indicesOptions: IndicesOptions;
  readonly body: Uint8Array | null;
  /** Body and parameters as parsed before; null where nobody needed that yet. */
  readonly parsed: ParsedSearch | null;
  /** URI parameters that speak of the search itself. */
  readonly params: Readonly<Record<string, string>>;
  readonly routings: readonly string[];
  /** null: the node's default. */
  readonly allowPartialResults: boolean | null;
  /** The total will be shown as a plain number, which cannot say "at least": it is counted exactly, or not at all. */
  readonly countsExactly: boolean;
  /** Whoever asked knows documents with a `_type`. */
  readonly showsTypes: boolean;
  readonly maxConcurrentShardRequests: number;
  /** Results of shards that are held before they are reduced; at least 2. */
  readonly batchedReduceSize: number;
  /** Shards up to which each is searched without a look whether it can match; null: by what is searched. */
  readonly preFilterShardSize: number | null;
  /** Keeps a cursor on every shard for the pages behind this one; null without a scroll. */
  readonly scrollKeepAliveMs: number | null;
  /** `request_cache`, which a scroll cannot have; null: as each index says. */
  readonly usesRequestCache: boolean | null;
  /** `dfs_query_then_fetch`: scores are computed from the terms of all shards together. */
  readonly sharesStatistics: boolean;
  /** Set when nobody waits for the answer any more; null without such a thing. */
  readonly signal: CancelFlag | null;
}

/** A search that a node makes by itself: everything that is not said is as it is for a request without parameters. */
export const PLAIN_SEARCH: Omit<SearchInput, 'expression' | 'indicesOptions' | 'body' | 'signal'> = {
  parsed: null,
  params: {},
  routings: [],
  allowPartialResults: null,
  countsExactly: false,
  showsTypes: false,
  maxConcurrentShardRequests: DEFAULT_CONCURRENT_SHARD_REQUESTS,
  batchedReduceSize: DEFAULT_BATCHED_REDUCE_SIZE,
  preFilterShardSize: null,
  scrollKeepAliveMs: null,
  usesRequestCache: null,
  sharesStatistics: false,
};

/**
 * What is asked of one shard by those who read: gets, queries, pages of a scroll, fetches.
 */

export interface GetRequest {
  readonly id: string;
  /** false: only what is searchable. true: also what was written since the last refresh. */
  readonly realtime: boolean;
}

export interface QueryShardRequest {
  /** Request body as the user sent it, and the URI parameters of the search API: parsed here by `@shoal/query`. */
  readonly body: Uint8Array | null;
  readonly params: Readonly<Record<string, string>>;
  /** Query JSON of the alias through which the index was named; null without one. */
  readonly aliasFilter: Uint8Array | null;
  /** Entries wanted: from + size of the request; 0 asks for totals only. */
  readonly topN: number;
  /** What `now` means in date math: one instant for all shards of a request. */
  readonly nowMs: number;
  /** How long an unfetched context is kept, in ms; of a `reader`, from now on, 0 to leave it as it is. */
  readonly keepAliveMs: number;
  /** Position of the shard among all of the search: the first part of `_shard_doc`. */
  readonly shardIndex: number;
  /** Reader that was opened before, to search in; null: what is searchable now. */
  readonly reader: number | null;
  /** The context stays open behind the entries that are shown, for the next page. */
  readonly isScroll: boolean;
  /** Of the terms over all shards, as `TermStatisticsTable` writes them; null: the shard's own count. */
  readonly statistics: Uint8Array | null;
  /** Factor on all scores of the shard. */
  readonly indexBoost: number;
}

/** Of a scroll: the entries behind those that were shown. */
export interface NextEntriesRequest {
  readonly contextId: number;
  /** How long the context is kept from now on, in ms; 0 leaves it as it is. */
  readonly keepAliveMs: number;
}

export interface FetchShardRequest {
  readonly contextId: number;
  readonly ords: Uint32Array;
  /** Of a scroll: entries of the last answer that the page shows; the next one begins behind them. null without one. */
  readonly consumed: number | null;
  /** `_source` choice as parsed by `@shoal/query` from the same body and params. */
  readonly body: Uint8Array | null;
  readonly params: Readonly<Record<string, string>>;
}

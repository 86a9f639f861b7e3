/**
 * What is asked of one shard by those who read: gets, queries, pages of a scroll, fetches.
 */
import type { AggregationLevel } from '@shoal/aggregations';
import type { Query, SearchRequest } from '@shoal/query';

export interface GetRequest {
  readonly id: string;
  /** false: only what is searchable. true: also what was written since the last refresh. */
  readonly realtime: boolean;
}

/** A search as the coordinator parsed it, the same for all of its shards. */
export interface ShardSearch {
  readonly request: SearchRequest;
  /** null without any. */
  readonly aggregations: AggregationLevel | null;
}

export interface QueryShardRequest {
  readonly search: ShardSearch;
  /** Filter of the alias through which the index was named; null without one. */
  readonly aliasFilter: Query | null;
  /** Entries wanted: from + size of the request; 0 asks for totals only. */
  readonly topN: number;
  /** What `now` means in date math: one instant for all shards of a request. */
  readonly nowMs: number;
  /** How long an unfetched context is kept, in ms. A `reader` is kept so long from now on, at 0 as long as before. */
  readonly keepAliveMs: number;
  /** Position of the shard among all of the search: the first part of `_shard_doc`. */
  readonly shardIndex: number;
  /** Reader that was opened before, to search in; null: what is searchable now. */
  readonly reader: number | null;
  /** The context stays open behind the entries that are shown, for the next page. */
  readonly isScroll: boolean;
  /** Statistics of the terms over all shards, as `TermStatisticsTable` writes them; null: the shard's own. */
  readonly statistics: Uint8Array | null;
  /** Factor on all scores of the shard. */
  readonly indexBoost: number;
  /** A shard that can have no match may answer without looking for any. */
  readonly canSkip: boolean;
  /** Whether the answer may come from the request cache; null: as the index and the size of the page say. */
  readonly usesCache: boolean | null;
  /** Form in which `search` and `aliasFilter` came; null: the answer is not cached. */
  readonly packed: PackedForm | null;
}

/** A search in packed form: equal bytes ask for the same. */
export interface PackedForm {
  readonly search: Uint8Array;
  readonly aliasFilter: Uint8Array | null;
}

/** Asks a scroll for the entries behind those that were shown. */
export interface NextEntriesRequest {
  readonly contextId: number;
  /** How long the context is kept from now on, in ms; 0 leaves it as it is. */
  readonly keepAliveMs: number;
}

export interface FetchShardRequest {
  readonly contextId: number;
  readonly ords: Uint32Array;
  /** Entries of the last answer of a scroll that the page shows; the next one begins behind them. null without a scroll. */
  readonly consumed: number | null;
  /**
   * What is shown of each document; null: what the search of the context asked for. A point in time serves many searches at once
   * and remembers none: there it is given.
   */
  readonly request: SearchRequest | null;
}

/**
 * What is asked of one shard: writes, gets, queries, fetches.
 *
 * They stand here, and not in engine or protocol, because the engine executes them, the protocol carries them and the
 * coordinator makes them: one type each, so that nothing is translated on the way.
 */
import type { ShoalError } from '@shoal/core';
import type { PackedResults } from './packed-results.ts';

export interface ShardId {
  readonly index: string;
  readonly indexUuid: string;
  readonly number: number;
}

/** Conditions of a write, as the API names them; null where not given. */
export interface WriteConditions {
  readonly ifSeqNo: number | null;
  readonly ifPrimaryTerm: number | null;
  readonly version: number | null;
  readonly versionType: 'internal' | 'external' | 'external_gte';
}

export type WriteOperation =
  | {
      readonly kind: 'index';
      readonly opType: 'index' | 'create';
      readonly id: string;
      readonly routing: string | null;
      /** The id was made by the coordinator, so that no document can have it yet: no version look-up. */
      readonly isAutoId: boolean;
      readonly source: Uint8Array;
      readonly conditions: WriteConditions;
    }
  | {
      readonly kind: 'delete';
      readonly id: string;
      readonly routing: string | null;
      readonly conditions: WriteConditions;
    }
  | {
      readonly kind: 'update';
      readonly id: string;
      readonly routing: string | null;
      /** The update body: `{doc, upsert, doc_as_upsert, detect_noop, script…}`. */
      readonly body: Uint8Array;
      readonly conditions: WriteConditions;
    };

/** Operations in order, each made when it is asked for: a list, or `PackedOperations`. */
export interface OperationList {
  readonly length: number;
  at(position: number): WriteOperation | undefined;
}

export type DoneWord = 'created' | 'updated' | 'deleted' | 'not_found' | 'noop';

/** Outcome of one operation, in the order of the request. */
export type WriteResult =
  | {
      readonly kind: 'done';
      readonly result: DoneWord;
      readonly version: number;
      readonly seqNo: number;
      readonly primaryTerm: number;
      /** `_source` after an update that asked for it; null otherwise. */
      readonly source: Uint8Array | null;
    }
  | { readonly kind: 'failed'; readonly error: ShoalError };

/**
 * `mappingUpdate`: the first `results.length` operations are done; the next one needs fields that the mapping has not.
 * The caller gets the update (for all remaining operations) confirmed by the cluster manager, calls `updateMapping`
 * and hands the operations in again, from that one on.
 */
export interface WriteOutcome {
  readonly results: PackedResults;
  readonly mappingUpdate: Readonly<Record<string, unknown>> | null;
}

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

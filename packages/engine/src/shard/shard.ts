/**
 * One shard of an index on this node: the contract between the engine and whoever runs it (the data node's worker).
 *
 * A shard has one writer: every call is made from the one thread that owns it, and the engine never talks to a network,
 * another shard or the cluster. A write is acknowledged (its promise resolves) only when it is durable in the translog.
 */
import type { ShoalError } from '@shoal/core';
import type { FetchedHit, ShardQueryResult } from '@shoal/query';

export interface ShardId {
  readonly index: string;
  readonly indexUuid: string;
  readonly number: number;
}

export interface OpenShardOptions {
  readonly shard: ShardId;
  /** Folder of this shard; made if missing. */
  readonly path: string;
  /** Fresh for each assignment; written to the shard's own file before `open` resolves. */
  readonly allocationId: string;
  readonly primaryTerm: number;
  /** `create`: the folder must hold no shard of this index yet; `existing`: it must hold one with this index uuid. */
  readonly bootstrap: 'create' | 'existing';
  /** Flat index settings, as in the cluster state, such as `index.refresh_interval`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Mapping JSON as in the cluster state. */
  readonly mapping: Readonly<Record<string, unknown>>;
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

/** Outcome of one operation, in the order of the request. */
export type WriteResult =
  | {
      readonly kind: 'done';
      readonly result: 'created' | 'updated' | 'deleted' | 'not_found' | 'noop';
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
 * and hands in the remaining operations again.
 */
export interface WriteOutcome {
  readonly results: readonly WriteResult[];
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
  /** How long an unfetched context is kept, in ms. */
  readonly keepAliveMs: number;
}

export interface FetchShardRequest {
  readonly contextId: number;
  readonly ords: Uint32Array;
  /** `_source` choice as parsed by `@shoal/query` from the same body and params. */
  readonly body: Uint8Array | null;
  readonly params: Readonly<Record<string, string>>;
}

/** Set by another thread or by the caller to end a long search early; checked every few milliseconds of work. */
export interface StopSignal {
  readonly isStopped: boolean;
}

export interface ShardStats {
  readonly docCount: number;
  readonly deletedCount: number;
  readonly storeBytes: number;
  readonly segmentCount: number;
  readonly translogOperations: number;
  readonly translogBytes: number;
  readonly maxSeqNo: number;
  readonly localCheckpoint: number;
  readonly indexTotal: number;
  readonly indexTimeMs: number;
  readonly indexFailed: number;
  readonly deleteTotal: number;
  readonly queryTotal: number;
  readonly queryTimeMs: number;
  readonly fetchTotal: number;
  readonly fetchTimeMs: number;
  readonly getTotal: number;
  readonly refreshTotal: number;
  readonly refreshTimeMs: number;
  readonly flushTotal: number;
  readonly mergeTotal: number;
  readonly openContexts: number;
  readonly memoryBytes: number;
}

export interface Shard {
  readonly id: ShardId;
  /** Resolves when every done operation is durable. Operations of one call keep their order. */
  write(operations: readonly WriteOperation[]): Promise<WriteOutcome>;
  /** null when there is no such document. */
  get(request: GetRequest): FetchedHit | null;
  /** Makes everything written so far visible to search. */
  refresh(): Promise<void>;
  /** Resolves after the next refresh, whoever starts it (`?refresh=wait_for`). */
  waitForRefresh(): Promise<void>;
  /** Commits segments to disk and cuts the translog. */
  flush(): Promise<void>;
  query(request: QueryShardRequest, stop: StopSignal): Promise<ShardQueryResult>;
  fetch(request: FetchShardRequest): readonly FetchedHit[];
  freeContext(contextId: number): void;
  updateMapping(mapping: Readonly<Record<string, unknown>>): void;
  updateSettings(settings: Readonly<Record<string, string>>): void;
  stats(): ShardStats;
  /** Flushes what it can and releases the folder. */
  close(): Promise<void>;
}

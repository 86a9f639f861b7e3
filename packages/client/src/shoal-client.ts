/**
 * What a program asks of a cluster: one typed interface, whether the client joins the cluster or only connects to it.
 *
 * Failures reject with a `ShoalError` of the REST API's type and status. What is not there is an answer, not a failure:
 * `get` and `delete` say so in a field.
 */
import type { HealthStatus, RefreshPolicy } from '@shoal/protocol';

/** A document as JSON value, or as the JSON bytes that shall be kept. */
export type Document = Readonly<Record<string, unknown>> | Uint8Array;

export interface IndexOptions {
  readonly index: string;
  /** Left out: the cluster makes one. */
  readonly id?: string;
  readonly document: Document;
  /** `create` refuses when the id exists. Default `index`. */
  readonly opType?: 'index' | 'create';
  readonly routing?: string;
  readonly refresh?: RefreshPolicy;
  readonly ifSeqNo?: number;
  readonly ifPrimaryTerm?: number;
  /** Longest wait for the primary shard. Default 60 s. */
  readonly timeoutMs?: number;
}

export interface DeleteOptions {
  readonly index: string;
  readonly id: string;
  readonly routing?: string;
  readonly refresh?: RefreshPolicy;
  readonly ifSeqNo?: number;
  readonly ifPrimaryTerm?: number;
  readonly timeoutMs?: number;
}

export interface CopyCounts {
  readonly total: number;
  readonly successful: number;
  readonly failed: number;
}

export interface WriteAnswer {
  readonly index: string;
  readonly id: string;
  readonly version: number;
  readonly result: 'created' | 'updated' | 'deleted' | 'not_found' | 'noop';
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly shards: CopyCounts;
}

export interface GetOptions {
  readonly index: string;
  readonly id: string;
  readonly routing?: string;
  /** false: only what a refresh has made visible. Default true. */
  readonly realtime?: boolean;
}

export type GetAnswer =
  | { readonly found: false; readonly index: string; readonly id: string }
  | {
      readonly found: true;
      readonly index: string;
      readonly id: string;
      readonly version: number;
      readonly seqNo: number;
      readonly primaryTerm: number;
      readonly source: Readonly<Record<string, unknown>>;
    };

export type BulkOperation =
  | {
      readonly kind: 'index' | 'create';
      readonly index?: string;
      readonly id?: string;
      readonly routing?: string;
      readonly document: Document;
    }
  | { readonly kind: 'update'; readonly index?: string; readonly id: string; readonly body: Document }
  | { readonly kind: 'delete'; readonly index?: string; readonly id: string; readonly routing?: string };

export interface BulkOptions {
  /** Index of the operations that name none. */
  readonly index?: string;
  readonly operations: readonly BulkOperation[];
  readonly refresh?: RefreshPolicy;
  readonly timeoutMs?: number;
}

export interface BulkItem {
  readonly kind: string;
  readonly index: string;
  readonly id: string | null;
  readonly status: number;
  /** null when it succeeded. */
  readonly error: { readonly type: string; readonly reason: string | null } | null;
}

export interface BulkAnswer {
  readonly tookMs: number;
  readonly hasErrors: boolean;
  /** Result of each operation, in order. */
  readonly items: readonly BulkItem[];
}

export interface CountOptions {
  /** Indices by name, alias or wildcard. Left out: all. */
  readonly index?: string | readonly string[];
  readonly query?: Readonly<Record<string, unknown>>;
  readonly routing?: string;
  readonly preference?: string;
}

export interface ShardCounts extends CopyCounts {
  readonly skipped: number;
}

export interface CountAnswer {
  readonly count: number;
  readonly shards: ShardCounts;
}

export interface SearchOptions {
  readonly index?: string | readonly string[];
  /** The search body: `query`, `sort`, `from`, `size`, `_source`… */
  readonly body?: Readonly<Record<string, unknown>>;
  readonly routing?: string;
  readonly preference?: string;
}

export interface SearchHit {
  readonly index: string;
  readonly id: string;
  readonly score: number | null;
  /** null when it was not asked for. */
  readonly source: Readonly<Record<string, unknown>> | null;
  readonly sort: readonly unknown[];
}

export interface SearchAnswer {
  readonly tookMs: number;
  readonly timedOut: boolean;
  readonly shards: ShardCounts;
  /** null when totals are not tracked. */
  readonly total: { readonly value: number; readonly relation: 'eq' | 'gte' } | null;
  readonly maxScore: number | null;
  readonly hits: readonly SearchHit[];
}

export interface HealthOptions {
  readonly index?: string | readonly string[];
  readonly waitForStatus?: HealthStatus;
  /** Number of nodes to wait for, such as `3` or `>=2`. */
  readonly waitForNodes?: string;
  /** Longest wait, for a cluster manager too. Default 30 s. */
  readonly timeoutMs?: number;
}

export interface HealthAnswer {
  readonly clusterName: string;
  readonly status: HealthStatus;
  /** True when the awaited state did not come in time. */
  readonly timedOut: boolean;
  readonly numberOfNodes: number;
  readonly numberOfDataNodes: number;
  readonly activeShards: number;
  readonly unassignedShards: number;
}

export interface ShoalClient {
  index(options: IndexOptions): Promise<WriteAnswer>;
  get(options: GetOptions): Promise<GetAnswer>;
  delete(options: DeleteOptions): Promise<WriteAnswer>;
  bulk(options: BulkOptions): Promise<BulkAnswer>;
  count(options?: CountOptions): Promise<CountAnswer>;
  search(options?: SearchOptions): Promise<SearchAnswer>;
  clusterHealth(options?: HealthOptions): Promise<HealthAnswer>;
  close(): Promise<void>;
}

/** Writes for one primary shard, in order: coordinator → data node that holds the primary. Channel `bulk`. */
import type { WriteOperation, WriteResult } from '@shoal/query';
import type { ShardTarget } from './shard-target.ts';

export type RefreshPolicy = 'none' | 'immediate' | 'wait_for';

export interface BulkShardRequest {
  readonly target: ShardTarget;
  readonly primaryTerm: number;
  readonly refresh: RefreshPolicy;
  /** Sources travel as raw sections; together at most 8 MiB. */
  readonly operations: readonly WriteOperation[];
}

export interface BulkShardResponse {
  /** One an operation, in order. */
  readonly results: readonly WriteResult[];
  /** Of copies: total counts unassigned ones too. */
  readonly shards: { readonly total: number; readonly successful: number; readonly failed: number };
  readonly forcedRefresh: boolean;
}

/** Query phase: coordinator → data node, one shard; the answer is columns in raw sections. Channel `reg`. */
import type { FetchedHit, QueryShardRequest, ShardQueryResult } from '@shoal/query';
import type { ShardTarget } from '../documents/shard-target.ts';

export interface QueryPhaseRequest {
  readonly target: ShardTarget;
  readonly query: QueryShardRequest;
  /** The only shard of the search fetches its page at once: the entries from..from+size of its own order. */
  readonly fetchPage: { readonly from: number; readonly size: number } | null;
}

export interface QueryPhaseResponse {
  readonly result: ShardQueryResult;
  /** Hits of `fetchPage`; null when it was not asked for. */
  readonly hits: readonly FetchedHit[] | null;
}

/** Fetch phase: coordinator → owner of some of the page's hits; and the release of a context that lost. Channel `reg`. */
import type { FetchedHit, FetchShardRequest } from '@shoal/query';
import type { ShardTarget } from '../documents/shard-target.ts';

export interface FetchPhaseRequest {
  readonly target: ShardTarget;
  readonly fetch: FetchShardRequest;
}

export interface FetchPhaseResponse {
  /** One an ord, in order. */
  readonly hits: readonly FetchedHit[];
}

export interface FreeContextRequest {
  readonly target: ShardTarget;
  readonly contextId: number;
}

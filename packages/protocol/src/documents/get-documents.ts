/** Documents of one shard by id: coordinator → data node. Serves get, mget, `_source` and exists. Channel `reg`. */
import type { FetchedHit, GetRequest } from '@shoal/query';
import type { ShardTarget } from './shard-target.ts';

export interface GetDocumentsRequest {
  readonly target: ShardTarget;
  /** Refresh the shard first. */
  readonly refresh: boolean;
  readonly gets: readonly GetRequest[];
}

export interface GetDocumentsResponse {
  /** One a get, in order; null when there is none. `source` is whole: the coordinator filters it. */
  readonly documents: readonly (FetchedHit | null)[];
}

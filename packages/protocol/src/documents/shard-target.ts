/**
 * Which copy of which shard a request means, as the sender's cluster state has it.
 */

export interface ShardTarget {
  readonly index: string;
  readonly indexUuid: string;
  readonly shard: number;
  /** The receiver refuses when it holds another copy under this shard. */
  readonly allocationId: string;
  /** Version of the state that the request was routed by: a receiver with an older one waits for it. */
  readonly stateVersion: number;
}

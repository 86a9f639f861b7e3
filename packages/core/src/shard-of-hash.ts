/**
 * In which shard of an index a hash lands. Clients, coordinators and data nodes must agree on it for ever.
 */
import { assert } from './errors/assert.ts';

/** What of an index routing depends on. */
export interface RoutedShards {
  readonly numberOfShards: number;
  /** Hash space of routing; a multiple of `numberOfShards`. */
  readonly routingNumShards: number;
}

/**
 * @param hash the `murmur3` of what routes: the routing value, or the id where there is none
 * @returns shard number, 0..numberOfShards-1
 */
export function shardIdForHash({ numberOfShards, routingNumShards }: RoutedShards, hash: number): number {
  assert(routingNumShards % numberOfShards === 0, `${routingNumShards} routing shards over ${numberOfShards} shards`);
  const slot = ((hash % routingNumShards) + routingNumShards) % routingNumShards;
  return Math.floor(slot / (routingNumShards / numberOfShards));
}

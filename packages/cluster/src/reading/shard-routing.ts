/**
 * In which shard a document lives. Clients, coordinators and data nodes must agree on it for ever.
 */
import { assert, murmur3 } from '@shoal/core';
import type { IndexMetadata } from '@shoal/protocol';

type RoutedIndex = Pick<IndexMetadata, 'numberOfShards' | 'routingNumShards'>;

/**
 * @param routing the request's routing; null: the id routes
 * @returns shard number, 0..numberOfShards-1
 */
export function shardIdForRouting(index: RoutedIndex, id: string, routing: string | null): number {
  return shardIdForHash(index, murmur3(routing ?? id));
}

/** @param hash the `murmur3` of what routes, for those who have it as bytes */
export function shardIdForHash({ numberOfShards, routingNumShards }: RoutedIndex, hash: number): number {
  assert(routingNumShards % numberOfShards === 0, `${routingNumShards} routing shards over ${numberOfShards} shards`);
  const slot = ((hash % routingNumShards) + routingNumShards) % routingNumShards;
  return Math.floor(slot / (routingNumShards / numberOfShards));
}

/**
 * In which shard a document lives. Clients, coordinators and data nodes must agree on it for ever.
 */
import { murmur3, type RoutedShards, shardIdForHash } from '@shoal/core';

/**
 * @param routing the request's routing; null: the id routes
 * @returns shard number, 0..numberOfShards-1
 */
export function shardIdForRouting(index: RoutedShards, id: string, routing: string | null): number {
  return shardIdForHash(index, murmur3(routing ?? id));
}

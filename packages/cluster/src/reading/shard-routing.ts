/**
 * In which shard a document lives. Clients, coordinators and data nodes must agree on it for ever.
 */
import { assert, murmur3 } from '@shoal/core';
import type { IndexMetadata } from '@shoal/protocol';

/**
 * @param routing the request's routing; null: the id routes
 * @returns shard number, 0..numberOfShards-1
 */
export function shardIdForRouting(
  index: Pick<IndexMetadata, 'numberOfShards' | 'routingNumShards'>,
  id: string,
  routing: string | null,
): number {
  const { numberOfShards, routingNumShards } = index;
  assert(routingNumShards % numberOfShards === 0, `${routingNumShards} routing shards over ${numberOfShards} shards`);
  const hash = murmur3(routing ?? id);
  const slot = ((hash % routingNumShards) + routingNumShards) % routingNumShards;
  return Math.floor(slot / (routingNumShards / numberOfShards));
}

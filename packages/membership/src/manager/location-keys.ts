/** Keys by which the cluster manager remembers what nodes told it: of a shard, and of one process of a node. */

export function shardKey(indexUuid: string, shard: number): string {
  return `${indexUuid}/${shard}`;
}

export function nodeKey(nodeId: string, ephemeralId: string): string {
  return `${nodeId}/${ephemeralId}`;
}

/**
 * Whether the nodes of a cluster are all there, by the state that each of them has applied.
 */
import type { DataNode } from '@shoal/node';

type ClusterOfNode = DataNode['cluster'];

/** All nodes are there, and all of them vote: before that a cut could part a majority from the cluster manager that it elects. */
export function isWhole(cluster: ClusterOfNode, count: number): boolean {
  const { nodes, metadata } = cluster.state();
  const { lastAcceptedConfig, lastCommittedConfig } = metadata.coordination;
  // An even number leaves one node without a vote.
  const votes = count - (count % 2 === 0 ? 1 : 0);
  const isVoting = (config: readonly string[]): boolean =>
    config.length === votes && config.every((id) => nodes.has(id));
  return nodes.size === count && isVoting(lastAcceptedConfig) && isVoting(lastCommittedConfig);
}

/** Shard copies that can be searched, by index and number. */
export function startedShards(cluster: ClusterOfNode): readonly string[] {
  const copies = [...cluster.state().routing.indices.values()].flat(2);
  const started = copies.filter(({ state }) => state === 'STARTED' || state === 'RELOCATING');
  return started.map(({ indexUuid, shard }) => `${indexUuid} ${shard}`);
}

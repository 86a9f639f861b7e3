/** Data nodes, the only ones that hold shards. */
import type { ClusterState, DiscoveryNode } from '@shoal/cluster-state';

/** In the order of the state. */
export function dataNodes(state: ClusterState): readonly DiscoveryNode[] {
  return [...state.nodes.values()].filter((node) => node.roles.includes('data'));
}

/**
 * Replicas that go back to where they are in sync: their disk has every acknowledged write, so that their primary sends next to
 * nothing. They do not count in the limits of recoveries, which are for those that copy files: with two of them at a time, a cluster of thousands of
 * shards would be whole again long after its restart.
 */
import type { ClusterState, DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import type { ShardStores } from './allocation-context.ts';

/** Copies that return to a node at a time. Should one need files after all, it has up to a megabyte of them on its way. */
export const RETURNING_RECOVERIES_MAX = 250;

/** Whether the replica, which has no node, is in sync on the disk of this one, and has not failed to start from it. */
export function isReturningTo(
  { state, stores }: { readonly state: ClusterState; readonly stores: ShardStores },
  copy: ShardRouting,
  node: DiscoveryNode,
): boolean {
  const { index, indexUuid, shard, isPrimary, nodeId, unassigned } = copy;
  if (isPrimary || nodeId !== null || unassigned === null || unassigned.reason === 'INDEX_CREATED') return false;
  const found = stores.find({ indexUuid, shard, nodeId: node.id, ephemeralId: node.ephemeralId });
  if (typeof found !== 'string' || hasFailedOn(copy, node)) return false;
  return state.metadata.indices.get(index)?.inSyncAllocations[shard]?.includes(found) === true;
}

/** A copy that failed on a node may fail there again: nothing is expected of what lies there. */
export function hasFailedOn({ unassigned }: ShardRouting, { id }: DiscoveryNode): boolean {
  return (unassigned?.failedAllocations ?? 0) > 0 && unassigned?.lastNodeId === id;
}

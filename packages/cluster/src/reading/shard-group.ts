/**
 * The copies of one shard as replication has them, read from the cluster state: where they are, which are in sync, who leads.
 */
import { type ClusterState, sourceOf } from '@shoal/cluster-state';
import type { ShardGroup } from '@shoal/replication';
import { isNeverStarted } from './resize-source.ts';

type GroupCopies = ShardGroup['copies'];

/**
 * null: there is no such shard, or its primary never had a node.
 *
 * @param state committed: what it says of the copies may be told to them
 */
export function shardGroup(state: ClusterState, index: string, shard: number): ShardGroup | null {
  const metadata = state.metadata.indices.get(index);
  const routing = state.routing.indices.get(index)?.[shard];
  const primaryTerm = metadata?.primaryTerms[shard];
  const primary = routing?.[0];
  if (metadata === undefined || routing === undefined || primaryTerm === undefined || primary === undefined)
    return null;
  // Nobody else is in sync with what begins: ids in the set belong to a life of the shard that is over.
  const isBeginning = isNeverStarted(primary);
  if (isBeginning && primary.allocationId === null) return null;
  const inSync = isBeginning ? [primary.allocationId ?? ''] : (metadata.inSyncAllocations[shard] ?? []);
  const copies: GroupCopies = new Map(
    routing.flatMap((copy) => {
      const { allocationId, nodeId } = copy;
      if (allocationId === null || nodeId === null) return [];
      const state = copy.state === 'INITIALIZING' ? ('initializing' as const) : ('started' as const);
      const replaces = sourceOf(copy, routing)?.allocationId ?? null;
      return [[allocationId, { node: nodeId, state, isForced: copy.isForced === true, replaces }] as const];
    }),
  );
  return { version: state.version, primaryTerm, primary: primary.allocationId, inSync: new Set(inSync), copies };
}

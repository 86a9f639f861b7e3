/**
 * Which shard folders of a node may be deleted though their index lives: those of copies that moved away or are not wanted here any more.
 *
 * A folder goes only when the cluster state shows every copy of the shard started on another node, and the copy in it is not in sync: then
 * nobody will ever ask for it. Doubt keeps the data.
 */
import type { ClusterState, IndexMetadata, ShardRouting } from '@shoal/cluster-state';
import { STATE_NOT_RECOVERED } from './index-folder-plan.ts';

export interface LeftShard {
  readonly index: IndexMetadata;
  readonly shard: number;
}

export class LeftCopies {
  readonly #nodeId: string;
  /** Copies of shards that were found to be elsewhere: the same objects as long as nothing changes. */
  readonly #seen = new WeakSet<readonly ShardRouting[]>();

  constructor(nodeId: string) {
    this.#nodeId = nodeId;
  }

  /**
   * Shards of these indices that are elsewhere since the last call. What lies here of them may go, if it still is so when their turn comes.
   *
   * @param folders uuids of the indices that this node has a folder of
   */
  found(folders: ReadonlySet<string>, state: ClusterState): readonly LeftShard[] {
    const found: LeftShard[] = [];
    for (const index of state.metadata.indices.values()) {
      if (!folders.has(index.uuid)) continue;
      for (const [shard, copies] of (state.routing.indices.get(index.name) ?? []).entries()) {
        if (this.#seen.has(copies) || !isElsewhere(state, { index, shard }, this.#nodeId)) continue;
        this.#seen.add(copies);
        found.push({ index, shard });
      }
    }
    return found;
  }

  /** Whether the copy of this allocation id, which lies here, is one that nobody will ask for. */
  mayGo(state: ClusterState, { index, shard }: LeftShard, allocationId: string): boolean {
    const now = state.metadata.indices.get(index.name);
    if (now === undefined || now.uuid !== index.uuid) return false;
    const isInSync = now.inSyncAllocations[shard]?.includes(allocationId) !== false;
    return !isInSync && isElsewhere(state, { index: now, shard }, this.#nodeId);
  }
}

function isElsewhere(state: ClusterState, { index, shard }: LeftShard, nodeId: string): boolean {
  if (state.clusterManagerId === null) return false;
  if (state.blocks.global.some((block) => block.id === STATE_NOT_RECOVERED)) return false;
  const copies = state.routing.indices.get(index.name)?.[shard] ?? [];
  return copies.length > 0 && copies.every((copy) => copy.state === 'STARTED' && copy.nodeId !== nodeId);
}

/**
 * Tells the copies of this node which copies their shards have, as the applied cluster state has it, whenever that has changed.
 *
 * A shard with one copy is told nothing: nobody has to be asked before it writes.
 */
import { shardGroup } from '@shoal/cluster';
import type { ClusterState, IndexMetadata, ShardRouting } from '@shoal/cluster-state';
import type { ShardGroup } from '@shoal/replication';
import type { LocalShard } from './local-shard.ts';

/** The parts of a state that a group follows from; they stay the same objects while they do not change. */
interface GroupParts {
  readonly routing: readonly ShardRouting[] | undefined;
  readonly terms: IndexMetadata['primaryTerms'] | undefined;
  readonly inSync: IndexMetadata['inSyncAllocations'] | undefined;
}

export class GroupFeed {
  readonly #told = new WeakMap<LocalShard, GroupParts>();
  readonly #failed: (shard: LocalShard, error: unknown) => void;

  /** @param failed the copy could not begin to follow its group */
  constructor(failed: (shard: LocalShard, error: unknown) => void) {
    this.#failed = failed;
  }

  /** @param shard undefined: it is not here */
  tell(shard: LocalShard | undefined, state: ClusterState): void {
    if (shard?.phase !== 'open' || shard.worker === null) return;
    const parts = partsOf(shard, state);
    const before = this.#told.get(shard);
    if (before !== undefined && isSame(before, parts)) return;
    this.#told.set(shard, parts);
    const group = shardGroup(state, shard.index, shard.shard);
    if (group === null || !(shard.hasShell || needsShell(group, shard.allocationId))) return;
    shard.hasShell = true;
    shard.worker.call('follow', { key: shard.key, group }).catch((error: unknown) => this.#failed(shard, error));
  }
}

/** True for a replica, for a primary beside which another copy is, or may come back, and for one that is to begin another history. */
function needsShell({ primary, copies, inSync }: ShardGroup, allocationId: string): boolean {
  const isForced = copies.get(allocationId)?.isForced === true;
  return primary !== allocationId || isForced || copies.size > 1 || inSync.size > 1;
}

function partsOf({ index, indexUuid, shard }: LocalShard, state: ClusterState): GroupParts {
  const metadata = state.metadata.indices.get(index);
  if (metadata?.uuid !== indexUuid) return { routing: undefined, terms: undefined, inSync: undefined };
  const routing = state.routing.indices.get(index)?.[shard];
  return { routing, terms: metadata.primaryTerms, inSync: metadata.inSyncAllocations };
}

function isSame(a: GroupParts, b: GroupParts): boolean {
  return a.routing === b.routing && a.terms === b.terms && a.inSync === b.inSync;
}

/**
 * Copies without a node that may lie on disks: of which shards the cluster manager asks, and which nodes.
 *
 * The replicas of a shard are asked for together with its primary, though nothing is decided for them before that is there: after a restart
 * all answers are known by then.
 */
import type { ClusterState, ShardRouting } from '@shoal/cluster-state';

export interface WantedStore {
  readonly indexUuid: string;
  readonly shard: number;
  /** The primary is one of the copies without a node. */
  readonly isPrimaryMissing: boolean;
  /**
   * Nodes that have another copy of the shard, by id. They are not asked, and what they said is not true any more: a copy that recovers gives up what
   * lay there before.
   */
  readonly holders: ReadonlySet<string>;
}

export function wantedStores(state: Pick<ClusterState, 'routing'>): readonly WantedStore[] {
  const wanted: WantedStore[] = [];
  for (const shards of state.routing.indices.values()) {
    for (const copies of shards) {
      const missing = copies.find(mayLieOnDisks);
      if (missing === undefined) continue;
      const { indexUuid, shard } = missing;
      const holders = new Set(copies.flatMap(({ nodeId }) => nodeId ?? []));
      wanted.push({ indexUuid, shard, isPrimaryMissing: copies.some(isMissingPrimary), holders });
    }
  }
  return wanted;
}

/** Replicas of a new index have left nothing, nor have primaries that begin with something else than a store. */
function mayLieOnDisks(copy: ShardRouting): boolean {
  if (copy.state !== 'UNASSIGNED') return false;
  return copy.isPrimary ? isMissingPrimary(copy) : copy.unassigned?.reason !== 'INDEX_CREATED';
}

function isMissingPrimary({ isPrimary, state, recoverySource }: ShardRouting): boolean {
  return isPrimary && state === 'UNASSIGNED' && recoverySource === 'EXISTING_STORE';
}

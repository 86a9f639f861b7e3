/**
 * Which index folders of a node may be deleted: a pure decision, made so that doubt always keeps the data.
 *
 * A folder goes only when the cluster says that its index was deleted: it stands in the graveyard, or it was in the
 * state that this node had and is not in the next one of the same cluster. A folder of an unknown index is dangling: it
 * is kept, since it may be the last copy of something.
 */
import type { ClusterState } from '@shoal/cluster-state';

export interface IndexFolderPlan {
  readonly remove: readonly string[];
  /** Neither in the state nor known to be deleted. */
  readonly dangling: readonly string[];
}

const NOTHING: IndexFolderPlan = { remove: [], dangling: [] };
/** Elasticsearch's id of `state not recovered / initialized`. */
export const STATE_NOT_RECOVERED = 1;

export function planIndexFolders(
  folders: ReadonlySet<string>,
  previous: ClusterState,
  state: ClusterState,
): IndexFolderPlan {
  // A state that no cluster manager stands behind knows nothing about what exists.
  if (state.clusterManagerId === null) return NOTHING;
  if (state.blocks.global.some((block) => block.id === STATE_NOT_RECOVERED)) return NOTHING;
  const alive = uuidsOf(state);
  const buried = new Set(state.metadata.indexGraveyard.map((grave) => grave.uuid));
  const isSameCluster = previous.metadata.clusterUuid === state.metadata.clusterUuid;
  const before = isSameCluster ? uuidsOf(previous) : new Set<string>();
  const remove: string[] = [];
  const dangling: string[] = [];
  for (const uuid of folders) {
    if (alive.has(uuid)) continue;
    if (buried.has(uuid) || before.has(uuid)) remove.push(uuid);
    else dangling.push(uuid);
  }
  return { remove, dangling };
}

function uuidsOf(state: ClusterState): ReadonlySet<string> {
  return new Set([...state.metadata.indices.values()].map((index) => index.uuid));
}

/**
 * Opens and closes indices. Either way the copies start again from where the in-sync ones lie, so that settings which need it may
 * change, and in a new term, which ends what was routed in the old one. Copies of a closed index are recovered, moved and lost as any others.
 */
import type { ClusterState, IndexMetadata, IndexRouting, UnassignedInfo } from '@shoal/cluster-state';
import { expandReplicas } from '../allocation/expand-replicas.ts';
import { newIndexRouting, withIndexRouting } from '../allocation/index-routing.ts';
import { reroute } from '../allocation/reroute.ts';
import { blocksOfIndex, withIndexBlocks } from '../reading/cluster-blocks.ts';
import { checkNotSnapshotted } from '../reading/snapshotted-indices.ts';
import { requireIndex, withIndices } from './index-update.ts';
import type { MetadataContext } from './metadata-context.ts';
import { checkShardLimit } from './shard-limit.ts';

export function setIndexState(
  state: ClusterState,
  names: readonly string[],
  wanted: 'open' | 'close',
  context: MetadataContext,
): ClusterState {
  const changed = [...new Set(names)]
    .map((name) => requireIndex(state, name))
    .filter((index) => index.state !== wanted)
    .map((index): IndexMetadata => ({ ...index, state: wanted, settingsVersion: index.settingsVersion + 1 }));
  if (changed.length === 0) return state;
  const isOpening = wanted === 'open';
  if (!isOpening) checkNotSnapshotted(state, changed, 'close');
  if (isOpening) {
    checkShardLimit(
      state,
      context,
      changed.reduce((n, index) => n + index.numberOfShards * (1 + index.numberOfReplicas), 0),
    );
  }
  const next = withIndexBlocks(
    withIndices(state, changed),
    changed.map((index) => [index.name, blocksOfIndex(index.settings, !isOpening)] as const),
  );
  const reason = isOpening ? 'INDEX_REOPENED' : 'INDEX_CLOSED';
  const routing = changed.map((index) => [index.name, restarted(index, reason, context.nowMs)] as const);
  return reroute(expandReplicas({ ...next, routing: withIndexRouting(next.routing, routing) }, context), context);
}

/** Copies go back to their documents, which replicas have as well; a primary that never started begins empty. */
function restarted(index: IndexMetadata, reason: UnassignedInfo['reason'], nowMs: number): IndexRouting {
  return newIndexRouting(index, nowMs).map((copies, shard) =>
    copies.map((copy) => {
      if (copy.unassigned === null) return copy;
      const hasDocuments = (index.inSyncAllocations[shard] ?? []).length > 0;
      return {
        ...copy,
        recoverySource: copy.isPrimary && hasDocuments ? 'EXISTING_STORE' : copy.recoverySource,
        unassigned: { ...copy.unassigned, reason },
      };
    }),
  );
}

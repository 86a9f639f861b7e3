/**
 * Opens and closes indices. A closed index keeps its documents on disk and has no routing: its shards are shut down, so
 * that settings which need it may change. Opening starts them again from where the in-sync copies lie.
 */
import type { ClusterState, IndexMetadata, IndexRouting } from '@shoal/protocol';
import { newIndexRouting, withIndexRouting } from '../allocation/index-routing.ts';
import { reroute } from '../allocation/reroute.ts';
import { blocksOfIndex, withIndexBlocks } from '../reading/cluster-blocks.ts';
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
  if (isOpening) {
    checkShardLimit(
      state,
      changed.reduce((n, index) => n + index.numberOfShards * (1 + index.numberOfReplicas), 0),
    );
  }
  const next = withIndexBlocks(
    withIndices(state, changed),
    changed.map((index) => [index.name, blocksOfIndex(index.settings, !isOpening)] as const),
  );
  const routing = changed.map((index) => [index.name, isOpening ? reopened(index, context.nowMs) : null] as const);
  return reroute({ ...next, routing: withIndexRouting(next.routing, routing) }, context);
}

/** Primaries go back to their documents; one that never started begins empty. */
function reopened(index: IndexMetadata, nowMs: number): IndexRouting {
  return newIndexRouting(index, nowMs).map((copies, shard) =>
    copies.map((copy) => {
      if (!copy.isPrimary || copy.unassigned === null) return copy;
      const hasDocuments = (index.inSyncAllocations[shard] ?? []).length > 0;
      return {
        ...copy,
        recoverySource: hasDocuments ? 'EXISTING_STORE' : 'EMPTY_STORE',
        unassigned: { ...copy.unassigned, reason: 'INDEX_REOPENED' },
      };
    }),
  );
}

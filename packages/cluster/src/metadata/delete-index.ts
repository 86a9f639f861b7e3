/**
 * Deletes indices and remembers that they are gone, so that a node that was away does not bring them back.
 */
import { type ClusterState, GRAVEYARD_MAX, withEntries } from '@shoal/protocol';
import { withIndexRouting } from '../allocation/index-routing.ts';
import { withIndexBlocks } from '../reading/cluster-blocks.ts';
import { requireIndex } from './index-update.ts';
import type { MetadataContext } from './metadata-context.ts';

export function deleteIndices(state: ClusterState, names: readonly string[], context: MetadataContext): ClusterState {
  const gone = [...new Set(names)].map((name) => requireIndex(state, name));
  if (gone.length === 0) return state;
  const removed = gone.map((index) => [index.name, null] as const);
  const tombstones = gone.map((index) => ({ index: index.name, uuid: index.uuid, deletedAtMs: context.nowMs }));
  const { metadata } = state;
  return withIndexBlocks(
    {
      ...state,
      metadata: {
        ...metadata,
        indices: withEntries(metadata.indices, removed),
        indexGraveyard: [...metadata.indexGraveyard, ...tombstones].slice(-GRAVEYARD_MAX),
      },
      routing: withIndexRouting(state.routing, removed),
    },
    removed,
  );
}

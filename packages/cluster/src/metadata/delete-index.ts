/**
 * Deletes indices and remembers that they are gone, so that a node that was away does not bring them back.
 */

import { type ClusterState, type DataStream, GRAVEYARD_MAX, withEntries } from '@shoal/cluster-state';
import { illegalArgument } from '@shoal/core';
import { withIndexRouting } from '../allocation/index-routing.ts';
import { reroute } from '../allocation/reroute.ts';
import { withIndexBlocks } from '../reading/cluster-blocks.ts';
import { componentOf, dataStreamOf, isWriteIndexOf } from '../reading/data-stream-indices.ts';
import { checkNotSnapshotted } from '../reading/snapshotted-indices.ts';
import { requireIndex } from './index-update.ts';
import type { MetadataContext } from './metadata-context.ts';

export function deleteIndices(state: ClusterState, names: readonly string[], context: MetadataContext): ClusterState {
  const gone = [...new Set(names)].map((name) => requireIndex(state, name));
  if (gone.length === 0) return state;
  checkNotSnapshotted(state, gone, 'delete');
  const dataStreams = withoutStreamIndices(state, names);
  const removed = gone.map((index) => [index.name, null] as const);
  const tombstones = gone.map((index) => ({ index: index.name, uuid: index.uuid, deletedAtMs: context.nowMs }));
  const { metadata } = state;
  const next = withIndexBlocks(
    {
      ...state,
      metadata: {
        ...metadata,
        dataStreams,
        indices: withEntries(metadata.indices, removed),
        indexGraveyard: [...metadata.indexGraveyard, ...tombstones].slice(-GRAVEYARD_MAX),
      },
      routing: withIndexRouting(state.routing, removed),
    },
    removed,
  );
  // Recoveries of the indices end with them: others that waited for those may run.
  return reroute(next, context);
}

/** Data streams without the indices; one that takes writes of its stream cannot be deleted alone. */
function withoutStreamIndices(state: ClusterState, names: readonly string[]): ReadonlyMap<string, DataStream> {
  const changed = new Map<string, DataStream>();
  for (const name of names) {
    const found = dataStreamOf(state, name);
    if (found === null) continue;
    if (isWriteIndexOf(found, name)) {
      const what = componentOf(found, name) === 'data' ? 'write index' : 'failure store write index';
      throw illegalArgument(`index [${name}] is the ${what} for data stream [${found.name}] and cannot be deleted`);
    }
    const stream = changed.get(found.name) ?? found;
    const isKept = (index: string): boolean => index !== name;
    changed.set(found.name, {
      ...stream,
      indices: stream.indices.filter(isKept),
      failureIndices: stream.failureIndices.filter(isKept),
    });
  }
  return withEntries(state.metadata.dataStreams, changed);
}

/**
 * Takes indices into data streams as their oldest backing indices, and out of them: all or none.
 */
import type { ClusterState } from '@shoal/cluster-state';
import { illegalArgument } from '@shoal/core';
import type { BackingIndexChange } from '@shoal/protocol';
import { withIndices } from '../metadata/index-update.ts';
import { dataStreamOf, writeIndexOf } from '../reading/data-stream-indices.ts';
import { checkTimestampField } from '../templates/backing-layers.ts';
import { asBackingIndex, withHidden } from './backing-index.ts';
import { withDataStream } from './data-streams.ts';

export function modifyDataStreams(state: ClusterState, changes: readonly BackingIndexChange[]): ClusterState {
  return changes.reduce((next, change) => (change.kind === 'add' ? added(next, change) : removed(next, change)), state);
}

function added(state: ClusterState, { stream: name, index: indexName }: BackingIndexChange): ClusterState {
  const { dataStreams, indices } = state.metadata;
  const stream = dataStreams.get(name);
  if (stream === undefined) throw illegalArgument(`data stream [${name}] not found`);
  const index = indices.get(indexName);
  if (index === undefined) throw illegalArgument(`index [${indexName}] not found`);
  const owner = dataStreamOf(state, indexName);
  if (owner?.name === name) return state;
  const refused = `cannot add index [${indexName}] to data stream [${name}]`;
  if (owner !== null) {
    throw illegalArgument(`${refused} because it is already a backing index on data stream [${owner.name}]`);
  }
  if (index.aliases.size > 0) {
    const aliases = [...index.aliases.keys()].sort();
    const [noun, verb] = aliases.length > 1 ? ['aliases', 'are'] : ['alias', 'is'];
    throw illegalArgument(`${refused} until its ${noun} [${aliases.join(',')}] ${verb} removed`);
  }
  checkTimestampField(index.mapping);
  return withDataStream(withIndices(state, [asBackingIndex(index)]), {
    ...stream,
    indices: [indexName, ...stream.indices],
  });
}

function removed(state: ClusterState, { stream: name, index: indexName }: BackingIndexChange): ClusterState {
  const stream = state.metadata.dataStreams.get(name);
  if (stream === undefined) throw illegalArgument(`data stream [${name}] not found`);
  if (!stream.indices.includes(indexName)) throw illegalArgument(`index [${indexName}] not found`);
  if (writeIndexOf(stream) === indexName) {
    throw illegalArgument(
      `cannot remove backing index [${indexName}] of data stream [${name}] because it is the write index`,
    );
  }
  const index = state.metadata.indices.get(indexName);
  const shown = index === undefined ? state : withIndices(state, [withHidden(index, false)]);
  return withDataStream(shown, { ...stream, indices: stream.indices.filter((one) => one !== indexName) });
}

/**
 * Takes indices into data streams as their oldest backing or failure indices, and out of them: all or none.
 */
import type { ClusterState } from '@shoal/cluster-state';
import { illegalArgument } from '@shoal/core';
import type { StreamIndexChange } from '@shoal/protocol';
import { withIndices } from '../metadata/index-update.ts';
import {
  componentOf,
  dataStreamOf,
  indicesOfComponent,
  isWriteIndexOf,
  withIndicesOfComponent,
} from '../reading/data-stream-indices.ts';
import { checkTimestampField } from '../templates/backing-layers.ts';
import { asBackingIndex, asFailureIndex, withHidden } from './backing-index.ts';
import { withDataStream } from './data-streams.ts';

export function modifyDataStreams(state: ClusterState, changes: readonly StreamIndexChange[]): ClusterState {
  return changes.reduce((next, change) => (change.kind === 'add' ? added(next, change) : removed(next, change)), state);
}

function added(state: ClusterState, { stream: name, index: indexName, component }: StreamIndexChange): ClusterState {
  const { dataStreams, indices } = state.metadata;
  const stream = dataStreams.get(name);
  if (stream === undefined) throw illegalArgument(`data stream [${name}] not found`);
  const index = indices.get(indexName);
  if (index === undefined) throw illegalArgument(`index [${indexName}] not found`);
  const owner = dataStreamOf(state, indexName);
  if (owner?.name === name && componentOf(owner, indexName) === component) return state;
  const refused = `cannot add index [${indexName}] to data stream [${name}]`;
  if (owner !== null) {
    const what = componentOf(owner, indexName) === 'data' ? 'backing index' : 'failure store index';
    throw illegalArgument(`${refused} because it is already a ${what} on data stream [${owner.name}]`);
  }
  if (index.aliases.size > 0) {
    const aliases = [...index.aliases.keys()].sort();
    const [noun, verb] = aliases.length > 1 ? ['aliases', 'are'] : ['alias', 'is'];
    throw illegalArgument(`${refused} until its ${noun} [${aliases.join(',')}] ${verb} removed`);
  }
  if (component === 'data') checkTimestampField(index.mapping);
  const taken = component === 'data' ? asBackingIndex(index) : asFailureIndex(index);
  const list = [indexName, ...indicesOfComponent(stream, component)];
  return withDataStream(withIndices(state, [taken]), withIndicesOfComponent(stream, component, list));
}

function removed(state: ClusterState, { stream: name, index: indexName, component }: StreamIndexChange): ClusterState {
  const stream = state.metadata.dataStreams.get(name);
  if (stream === undefined) throw illegalArgument(`data stream [${name}] not found`);
  const isOfFailures = component === 'failures';
  const indices = indicesOfComponent(stream, component);
  if (!indices.includes(indexName)) {
    if (isOfFailures) throw illegalArgument(`index [${indexName}] is not part of data stream [${name}] failure store`);
    throw illegalArgument(`index [${indexName}] not found`);
  }
  if (isWriteIndexOf(stream, indexName)) {
    const of = isOfFailures ? ' of the failure store' : '';
    throw illegalArgument(
      `cannot remove backing index [${indexName}] of data stream [${name}] because it is the write index${of}`,
    );
  }
  const index = state.metadata.indices.get(indexName);
  const shown = index === undefined ? state : withIndices(state, [withHidden(index, false)]);
  const left = indices.filter((one) => one !== indexName);
  return withDataStream(shown, withIndicesOfComponent(stream, component, left));
}

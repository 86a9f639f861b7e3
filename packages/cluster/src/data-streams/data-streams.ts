/**
 * Creates and deletes data streams. A stream begins with one backing index, made from the template that fits the stream's name.
 */

import {
  type ClusterState,
  DATA_STREAMS_MAX,
  type DataStream,
  type DataStreamLifecycle,
  type FailureStoreOptions,
  type IndexTemplate,
  withEntries,
} from '@shoal/cluster-state';
import { illegalArgument, ShoalError } from '@shoal/core';
import { whyForbidden } from '../declarations/resource-name.ts';
import { createBackingIndex } from '../metadata/create-index.ts';
import { deleteIndices } from '../metadata/delete-index.ts';
import type { MetadataContext } from '../metadata/metadata-context.ts';
import { everyIndexOf, streamIndexName } from '../reading/data-stream-indices.ts';
import { findIndexTemplate, layersOfIndexTemplate } from '../templates/template-layers.ts';

export function createDataStream(state: ClusterState, name: string, context: MetadataContext): ClusterState {
  checkDataStreamName(name);
  const { dataStreams, indices } = state.metadata;
  if (dataStreams.has(name)) {
    throw new ShoalError('resource_already_exists_exception', 400, `data_stream [${name}] already exists`);
  }
  if (dataStreams.size >= DATA_STREAMS_MAX) {
    throw illegalArgument(`too many data streams: there may be [${DATA_STREAMS_MAX}]`);
  }
  if (indices.has(name)) throw illegalArgument(`data stream [${name}] conflicts with index`);
  for (const index of indices.values()) {
    if (index.aliases.has(name)) throw illegalArgument(`data stream [${name}] conflicts with alias`);
  }
  const template = dataStreamTemplate(state, name);
  const first = streamIndexName(name, 1, context.nowMs);
  const body = { index: first, settings: {}, mappings: {}, aliases: {}, waitForActiveShards: null };
  const created = createBackingIndex(state, body, { stream: name, template }, context);
  return withDataStream(created, streamOfTemplate(state, name, [first]));
}

/** A new stream, with what its template says of it. @param indices names of its backing indices, the one to write to last */
export function streamOfTemplate(state: ClusterState, name: string, indices: readonly string[]): DataStream {
  const template = dataStreamTemplate(state, name);
  const layers = layersOfIndexTemplate(state.metadata.templates, template);
  return {
    name,
    indices,
    generation: indices.length,
    isHidden: template.dataStream?.isHidden === true,
    meta: template.meta,
    lifecycle: layers.lifecycle,
    rollsOverOnWrite: false,
    failureIndices: [],
    failuresRollOverOnWrite: false,
    failureStore: layers.failureStore,
  };
}

/** The template that the backing indices of a stream are made from. */
export function dataStreamTemplate(state: ClusterState, name: string): IndexTemplate {
  const template = findIndexTemplate(state.metadata.templates, name, false);
  if (template === null) throw illegalArgument(`no matching index template found for data stream [${name}]`);
  if (template.dataStream === null) {
    throw illegalArgument(
      `matching index template [${template.name}] for data stream [${name}] has no data stream template`,
    );
  }
  return template;
}

/** Deletes data streams with all of their indices. */
export function deleteDataStreams(
  state: ClusterState,
  names: readonly string[],
  context: MetadataContext,
): ClusterState {
  const gone = [...new Set(names)].flatMap((name) => state.metadata.dataStreams.get(name) ?? []);
  if (gone.length === 0) return state;
  const dataStreams = withEntries(
    state.metadata.dataStreams,
    gone.map(({ name }) => [name, null] as const),
  );
  const without = { ...state, metadata: { ...state.metadata, dataStreams } };
  return deleteIndices(without, gone.flatMap(everyIndexOf), context);
}

/** Gives data streams a lifecycle, or takes it from them. */
export function setDataStreamLifecycle(
  state: ClusterState,
  { names, lifecycle }: { readonly names: readonly string[]; readonly lifecycle: DataStreamLifecycle | null },
): ClusterState {
  const changed = [...new Set(names)].flatMap((name) => state.metadata.dataStreams.get(name) ?? []);
  return changed.reduce((next, stream) => withDataStream(next, { ...stream, lifecycle }), state);
}

/** Gives data streams the options of their failure store, or takes them from them. */
export function setDataStreamOptions(
  state: ClusterState,
  { names, failureStore }: { readonly names: readonly string[]; readonly failureStore: FailureStoreOptions | null },
): ClusterState {
  const changed = [...new Set(names)].flatMap((name) => state.metadata.dataStreams.get(name) ?? []);
  return changed.reduce((next, stream) => withDataStream(next, { ...stream, failureStore }), state);
}

export function withDataStream(state: ClusterState, stream: DataStream): ClusterState {
  const dataStreams = withEntries(state.metadata.dataStreams, [[stream.name, stream]]);
  return { ...state, metadata: { ...state.metadata, dataStreams } };
}

/** @throws illegal_argument_exception for a name that no data stream may have */
export function checkDataStreamName(name: string): void {
  const why =
    whyForbidden(name) ??
    (name !== name.toLowerCase() ? 'must be lowercase' : name.startsWith('.') ? "must not start with '.'" : null);
  if (why !== null) throw illegalArgument(`data_stream [${name}] ${why}`);
}

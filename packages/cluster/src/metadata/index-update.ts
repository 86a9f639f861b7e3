/**
 * Finding and replacing indices in the cluster state: the steps that all metadata updates share.
 */
import { indexNotFound } from '@shoal/core';
import { type ClusterState, type IndexMetadata, withEntries } from '@shoal/protocol';

/** Throws `index_not_found_exception`. */
export function requireIndex(state: ClusterState, name: string): IndexMetadata {
  const index = state.metadata.indices.get(name);
  if (index === undefined) throw indexNotFound(name);
  return index;
}

/** The same state (===) when no index changed; the version of each changed one grows by one. */
export function withIndices(state: ClusterState, changed: readonly IndexMetadata[]): ClusterState {
  const real = changed.filter((index) => state.metadata.indices.get(index.name) !== index);
  if (real.length === 0) return state;
  const entries = real.map((index) => [index.name, { ...index, version: index.version + 1 }] as const);
  return { ...state, metadata: { ...state.metadata, indices: withEntries(state.metadata.indices, entries) } };
}

/**
 * Finding and replacing indices in the cluster state: the steps that all metadata updates share.
 */

import { type ClusterState, type IndexMetadata, withEntries } from '@shoal/cluster-state';
import { assert, indexNotFound } from '@shoal/core';

/** Throws `index_not_found_exception`. */
export function requireIndex(state: ClusterState, name: string): IndexMetadata {
  const index = state.metadata.indices.get(name);
  if (index === undefined) throw indexNotFound(name);
  return index;
}

/** Settings with the number of replicas, which an index of older versions may not say: it is kept, whatever the default is. */
export function settingsWithReplicas({ settings, numberOfReplicas }: IndexMetadata): IndexMetadata['settings'] {
  return { 'index.number_of_replicas': String(numberOfReplicas), ...settings };
}

/** The same state (===) when no index changed; the version of each changed one grows by one. */
export function withIndices(state: ClusterState, changed: readonly IndexMetadata[]): ClusterState {
  const real = changed.filter((index) => state.metadata.indices.get(index.name) !== index);
  if (real.length === 0) return state;
  for (const index of real) assertSuccessor(requireIndex(state, index.name), index);
  const entries = real.map((index) => [index.name, { ...index, version: index.version + 1 }] as const);
  return { ...state, metadata: { ...state.metadata, indices: withEntries(state.metadata.indices, entries) } };
}

/** An update keeps the identity of its index, and the counters of its parts only grow: caches are keyed by them. */
function assertSuccessor(old: IndexMetadata, next: IndexMetadata): void {
  const { name } = old;
  assert(next.uuid === old.uuid, `an update of [${name}] changes its uuid from ${old.uuid} to ${next.uuid}`);
  assert(next.version === old.version, `an update of [${name}] counts its own version: ${next.version}`);
  assert(
    next.mapping === old.mapping || next.mappingVersion > old.mappingVersion,
    `the mapping of [${name}] changes under version ${old.mappingVersion}`,
  );
  assert(
    next.settings === old.settings || next.settingsVersion > old.settingsVersion,
    `the settings of [${name}] change under version ${old.settingsVersion}`,
  );
  assert(
    next.aliases === old.aliases || next.aliasesVersion > old.aliasesVersion,
    `the aliases of [${name}] change under version ${old.aliasesVersion}`,
  );
  assert(
    next.numberOfShards === old.numberOfShards,
    `[${name}] changes from ${old.numberOfShards} to ${next.numberOfShards} shards`,
  );
}

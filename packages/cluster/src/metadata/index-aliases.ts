/**
 * Aliases of indices as `_aliases` changes them. All actions of a request happen or none.
 */

import { type AliasMetadata, type ClusterState, type IndexMetadata, withEntries } from '@shoal/cluster-state';
import { illegalArgument, ShoalError } from '@shoal/core';
import type { AliasChange } from '@shoal/protocol';
import { checkAliasName, invalidAliasName } from '../declarations/resource-name.ts';
import { dataStreamOf } from '../reading/data-stream-indices.ts';
import { deleteIndices } from './delete-index.ts';
import { requireIndex, withIndices } from './index-update.ts';
import type { MetadataContext } from './metadata-context.ts';

export function updateAliases(
  state: ClusterState,
  actions: readonly AliasChange[],
  context: MetadataContext,
): ClusterState {
  let next = state;
  for (const action of actions) next = applyAction(next, action, context);
  checkWriteIndices(next);
  return next;
}

/** Throws when the name is that of an index, or breaks a rule of names. */
export function checkAliasFree(state: ClusterState, name: string): void {
  checkAliasName(name);
  if (state.metadata.indices.has(name) || state.metadata.dataStreams.has(name)) {
    throw invalidAliasName(name, 'an index or data stream exists with the same name as the alias');
  }
}

/** Throws when an alias has two write indices. */
export function checkWriteIndices(state: ClusterState): void {
  const writers = new Map<string, string[]>();
  for (const index of state.metadata.indices.values()) {
    for (const alias of index.aliases.values()) {
      if (alias.isWriteIndex === true) writers.set(alias.name, [...(writers.get(alias.name) ?? []), index.name]);
    }
  }
  for (const [alias, indices] of writers) {
    if (indices.length > 1) {
      throw new ShoalError(
        'illegal_state_exception',
        500,
        `alias [${alias}] has more than one write index [${indices.join(',')}]`,
      );
    }
  }
}

function applyAction(state: ClusterState, action: AliasChange, context: MetadataContext): ClusterState {
  const index = requireIndex(state, action.index);
  switch (action.kind) {
    case 'remove_index':
      return deleteIndices(state, [index.name], context);
    case 'remove': {
      if (index.aliases.has(action.alias)) return withAlias(state, index, action.alias, null);
      if (!action.mustExist) return state;
      throw new ShoalError('aliases_not_found_exception', 404, `aliases [${action.alias}] missing`, {
        metadata: { 'resource.type': 'aliases', 'resource.id': action.alias },
      });
    }
    case 'add': {
      refuseBackingIndex(state, index.name);
      checkAliasFree(state, action.alias);
      const { alias: name, filter, indexRouting, searchRouting, isWriteIndex, isHidden } = action;
      return withAlias(state, index, name, { name, filter, indexRouting, searchRouting, isWriteIndex, isHidden });
    }
  }
}

function refuseBackingIndex(state: ClusterState, index: string): void {
  const stream = dataStreamOf(state, index);
  if (stream === null) return;
  throw illegalArgument(
    `The provided expressions [${index}] match a backing index belonging to data stream [${stream.name}]. Data streams and their backing indices don't support aliases.`,
  );
}

function withAlias(state: ClusterState, index: IndexMetadata, name: string, alias: AliasMetadata | null): ClusterState {
  const aliases = withEntries(index.aliases, [[name, alias]]);
  return withIndices(state, [{ ...index, aliases, aliasesVersion: index.aliasesVersion + 1 }]);
}

/**
 * Aliases of indices: as declared at creation, and as changed by `_aliases`. All actions of a request happen or none.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import {
  type AliasChange,
  type AliasMetadata,
  type ClusterState,
  type IndexMetadata,
  sortedMap,
  withEntries,
} from '@shoal/protocol';
import { deleteIndices } from './delete-index.ts';
import { requireIndex, withIndices } from './index-update.ts';
import type { MetadataContext } from './metadata-context.ts';
import { checkAliasName, invalidAliasName } from './resource-name.ts';

/** Aliases in the body of an index creation: `{name: {filter, routing, index_routing, search_routing, …}}`. */
export function parseAliases(json: Readonly<Record<string, unknown>>): ReadonlyMap<string, AliasMetadata> {
  return sortedMap(Object.entries(json).map(([name, body]) => [name, parseAlias(name, body)]));
}

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
  if (state.metadata.indices.has(name)) {
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
      checkAliasFree(state, action.alias);
      const { alias: name, filter, indexRouting, searchRouting, isWriteIndex, isHidden } = action;
      return withAlias(state, index, name, { name, filter, indexRouting, searchRouting, isWriteIndex, isHidden });
    }
  }
}

function withAlias(state: ClusterState, index: IndexMetadata, name: string, alias: AliasMetadata | null): ClusterState {
  const aliases = withEntries(index.aliases, [[name, alias]]);
  return withIndices(state, [{ ...index, aliases, aliasesVersion: index.aliasesVersion + 1 }]);
}

function parseAlias(name: string, body: unknown): AliasMetadata {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw illegalArgument(`[${name}] alias must be an object`);
  }
  const json = new Map<string, unknown>(Object.entries(body));
  const text = (key: string): string | null => {
    const value = json.get(key);
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string' && typeof value !== 'number')
      throw illegalArgument(`[${name}] [${key}] must be text`);
    return String(value);
  };
  const flag = (key: string): boolean | null => {
    const value = json.get(key);
    if (value === undefined || value === null) return null;
    if (typeof value !== 'boolean') throw illegalArgument(`[${name}] [${key}] must be a boolean`);
    return value;
  };
  for (const key of json.keys()) {
    if (!ALIAS_KEYS.includes(key)) throw illegalArgument(`unknown field [${key}] in alias [${name}]`);
  }
  const filter = json.get('filter') ?? null;
  if (typeof filter !== 'object' || Array.isArray(filter))
    throw illegalArgument(`[${name}] [filter] must be an object`);
  const entries = Object.entries(filter ?? {});
  return {
    name,
    // An empty filter is none, as Elasticsearch has it.
    filter: entries.length === 0 ? null : Object.fromEntries(entries),
    indexRouting: text('index_routing') ?? text('routing'),
    searchRouting: text('search_routing') ?? text('routing'),
    isWriteIndex: flag('is_write_index'),
    isHidden: flag('is_hidden'),
  };
}

const ALIAS_KEYS: readonly string[] = [
  'filter',
  'routing',
  'index_routing',
  'search_routing',
  'is_write_index',
  'is_hidden',
];

/**
 * Aliases as the body of an index creation or a template declares them.
 */

import { type AliasMetadata, sortedMap } from '@shoal/cluster-state';
import { illegalArgument } from '@shoal/core';

/** Aliases in the body of an index creation: `{name: {filter, routing, index_routing, search_routing, …}}`. */
export function parseAliases(json: Readonly<Record<string, unknown>>): ReadonlyMap<string, AliasMetadata> {
  return sortedMap(Object.entries(json).map(([name, body]) => [name, parseAlias(name, body)]));
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

/**
 * Aliases as users see them, and which of them a list of names means.
 */

import type { AliasMetadata, IndexMetadata } from '@shoal/cluster-state';
import { simpleMatch } from '@shoal/core';

type Json = Readonly<Record<string, unknown>>;

export interface AliasesAnswer {
  readonly status: 200 | 404;
  readonly body: Json;
}

/** One alias of one index. */
function aliasBody(alias: AliasMetadata): Json {
  return {
    ...(alias.filter === null ? {} : { filter: alias.filter }),
    ...(alias.indexRouting === null ? {} : { index_routing: alias.indexRouting }),
    ...(alias.searchRouting === null ? {} : { search_routing: alias.searchRouting }),
    ...(alias.isWriteIndex === null ? {} : { is_write_index: alias.isWriteIndex }),
    ...(alias.isHidden === null ? {} : { is_hidden: alias.isHidden }),
  };
}

/** The value of `aliases` of one index. */
export function aliasesBody(aliases: Iterable<AliasMetadata>): Json {
  return Object.fromEntries([...aliases].map((alias) => [alias.name, aliasBody(alias)]));
}

/**
 * `_alias`: without names every index, with or without aliases; with names the indices that have one of them, and a 404
 * that still lists them when a name without a wildcard is missing.
 */
export function getAliasesAnswer(indices: readonly IndexMetadata[], names: readonly string[]): AliasesAnswer {
  if (names.length === 0) return { status: 200, body: indexBodies(indices, (index) => [...index.aliases.values()]) };
  const found = indexBodies(
    indices.filter((index) => matchingAliases(index, names).length > 0),
    (index) => matchingAliases(index, names),
  );
  const missing = missingNames(indices, names);
  if (missing.length === 0) return { status: 200, body: found };
  const error = `alias${missing.length > 1 ? 'es' : ''} [${missing.join(',')}] missing`;
  return { status: 404, body: { error, status: 404, ...found } };
}

/** Aliases of `index` that the names mean: patterns in order, `-pattern` taking away again, `_all` for every one. */
export function matchingAliases(index: IndexMetadata, names: readonly string[]): readonly AliasMetadata[] {
  return [...index.aliases.values()].filter((alias) =>
    names.reduce((isIn, name) => {
      if (name === '_all') return true;
      if (name.startsWith('-') && names[0] !== name) return isIn && !simpleMatch(name.slice(1), alias.name);
      return isIn || simpleMatch(name, alias.name);
    }, false),
  );
}

/**
 * Names without a wildcard that no alias in the answer has, and that no exclusion behind them takes away. A leading `-` is
 * part of a name up to the first wildcard, and excludes behind it.
 */
function missingNames(indices: readonly IndexMetadata[], names: readonly string[]): readonly string[] {
  const at = names.findIndex((name) => name.includes('*'));
  const firstWildcard = at < 0 ? names.length : at;
  const shown = new Set(indices.flatMap((index) => matchingAliases(index, names).map((alias) => alias.name)));
  const missing = names.filter((name, i) => {
    if (name === '_all' || name.includes('*') || (i > firstWildcard && name.startsWith('-'))) return false;
    const behind = names.slice(Math.max(i + 1, firstWildcard));
    const isExcluded = behind.some(
      (later) => later.startsWith('-') && (later === '-_all' || simpleMatch(later.slice(1), name)),
    );
    return !isExcluded && !shown.has(name);
  });
  return [...new Set(missing)].sort();
}

function indexBodies(
  indices: readonly IndexMetadata[],
  aliasesOf: (index: IndexMetadata) => readonly AliasMetadata[],
): Json {
  return Object.fromEntries(indices.map((index) => [index.name, { aliases: aliasesBody(aliasesOf(index)) }]));
}

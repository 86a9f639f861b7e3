/**
 * `_resolve/index`: which indices, aliases and data streams an expression names, as themselves. Unlike a search, an alias is not followed.
 *
 * Pure: a reading of one cluster state at one instant.
 */

import type { ClusterState, DataStream, IndexMetadata } from '@shoal/cluster-state';
import { indexNotFound, simpleMatch } from '@shoal/core';
import { resolveDateMathName } from './date-math-name.ts';
import type { IndicesOptions } from './indices-options.ts';
import {
  checkNameMayExist,
  indicesOfAlias,
  isAliasVisible,
  isStreamVisible,
  isVisible,
  splitExpression,
} from './resolve-indices.ts';

export interface ResolvedNames {
  /** By name. */
  readonly indices: readonly IndexMetadata[];
  /** Names of aliases, sorted. */
  readonly aliases: readonly string[];
  /** By name. */
  readonly dataStreams: readonly DataStream[];
}

export function resolveNames(
  state: ClusterState,
  expression: string,
  options: IndicesOptions,
  nowMs: number,
): ResolvedNames {
  const parts = splitExpression(expression).map((part) => resolveDateMathName(part, nowMs));
  const found = new FoundNames(state, options);
  let sawWildcard = false;
  for (const part of parts) {
    if (sawWildcard && part.startsWith('-') && part.length > 1) found.exclude(part.slice(1));
    else if (part === '_all') found.addMatching('*');
    else if (part.includes('*')) found.addMatching(part);
    else found.addNamed(part);
    sawWildcard ||= part.includes('*') || part === '_all';
  }
  const names = found.names();
  if (names.indices.length + names.aliases.length + names.dataStreams.length === 0 && !options.allowNoIndices) {
    throw indexNotFound(expression);
  }
  return names;
}

class FoundNames {
  readonly #state: ClusterState;
  readonly #options: IndicesOptions;
  readonly #indices = new Set<string>();
  readonly #aliases = new Set<string>();
  readonly #streams = new Set<string>();

  constructor(state: ClusterState, options: IndicesOptions) {
    this.#state = state;
    this.#options = options;
  }

  addMatching(pattern: string): void {
    const options = this.#options;
    for (const index of this.#state.metadata.indices.values()) {
      if (!(index.state === 'close' ? options.expandsToClosed : options.expandsToOpen)) continue;
      if (simpleMatch(pattern, index.name) && isVisible(index, pattern, options)) this.#indices.add(index.name);
      for (const alias of index.aliases.values()) {
        if (simpleMatch(pattern, alias.name) && isAliasVisible(alias, pattern, options)) this.#aliases.add(alias.name);
      }
    }
    for (const stream of this.#state.metadata.dataStreams.values()) {
      if (simpleMatch(pattern, stream.name) && isStreamVisible(stream, options)) this.#streams.add(stream.name);
    }
  }

  addNamed(name: string): void {
    if (this.#state.metadata.indices.has(name)) this.#indices.add(name);
    else if (indicesOfAlias(this.#state, name).length > 0) this.#aliases.add(name);
    else if (this.#state.metadata.dataStreams.has(name)) this.#streams.add(name);
    else {
      checkNameMayExist(name);
      if (!this.#options.ignoreUnavailable) throw indexNotFound(name);
    }
  }

  exclude(pattern: string): void {
    for (const names of [this.#indices, this.#aliases, this.#streams]) {
      for (const name of names) if (simpleMatch(pattern, name)) names.delete(name);
    }
  }

  names(): ResolvedNames {
    const indices = [...this.#indices].sort().flatMap((name) => this.#state.metadata.indices.get(name) ?? []);
    const { dataStreams } = this.#state.metadata;
    const streams = [...this.#streams].sort().flatMap((name) => dataStreams.get(name) ?? []);
    return { indices, aliases: [...this.#aliases].sort(), dataStreams: streams };
  }
}

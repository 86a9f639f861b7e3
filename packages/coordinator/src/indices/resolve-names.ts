/**
 * `_resolve/index`: which indices, aliases and data streams an expression names, as themselves. Unlike a search, an alias is not followed.
 *
 * Pure: a reading of one cluster state at one instant.
 */

import type { ClusterState, DataStream, IndexMetadata, StreamComponent } from '@shoal/cluster-state';
import { indexNotFound, simpleMatch } from '@shoal/core';
import { type SelectedName, withSelector } from './component-selector.ts';
import type { IndicesOptions } from './indices-options.ts';
import {
  checkNameMayExist,
  indicesOfAlias,
  isAliasVisible,
  isStreamVisible,
  isVisible,
  partsOf,
} from './resolve-indices.ts';

export interface ResolvedNames {
  /** By name. */
  readonly indices: readonly IndexMetadata[];
  /** Names of aliases, sorted. */
  readonly aliases: readonly string[];
  /** By name. */
  readonly dataStreams: readonly DataStream[];
  /** Data streams of which the failure indices are named, by name. */
  readonly failureStores: readonly DataStream[];
}

export function resolveNames(
  state: ClusterState,
  expression: string,
  options: IndicesOptions,
  nowMs: number,
): ResolvedNames {
  const found = new FoundNames(state, options);
  for (const part of partsOf(expression, options, nowMs)) {
    if (part.isExclusion) found.exclude(part);
    else if (part.name === '_all') found.addMatching({ ...part, name: '*' });
    else if (part.name.includes('*')) found.addMatching(part);
    else found.addNamed(part);
  }
  const names = found.names();
  if (countOf(names) === 0 && !options.allowNoIndices) throw indexNotFound(expression);
  return names;
}

/** How many things are named. */
export function countOf({ indices, aliases, dataStreams, failureStores }: ResolvedNames): number {
  return indices.length + aliases.length + dataStreams.length + failureStores.length;
}

class FoundNames {
  readonly #state: ClusterState;
  readonly #options: IndicesOptions;
  readonly #indices = new Set<string>();
  readonly #aliases = new Set<string>();
  readonly #streams: Readonly<Record<StreamComponent, Set<string>>> = { data: new Set(), failures: new Set() };

  constructor(state: ClusterState, options: IndicesOptions) {
    this.#state = state;
    this.#options = options;
  }

  addMatching({ name: pattern, component }: SelectedName): void {
    const options = this.#options;
    for (const stream of this.#state.metadata.dataStreams.values()) {
      const isFound = simpleMatch(pattern, stream.name) && isStreamVisible(stream, options);
      if (isFound) this.#streams[component].add(stream.name);
    }
    if (component === 'failures') return;
    for (const index of this.#state.metadata.indices.values()) {
      if (!(index.state === 'close' ? options.expandsToClosed : options.expandsToOpen)) continue;
      if (simpleMatch(pattern, index.name) && isVisible(index, pattern, options)) this.#indices.add(index.name);
      for (const alias of index.aliases.values()) {
        if (simpleMatch(pattern, alias.name) && isAliasVisible(alias, pattern, options)) this.#aliases.add(alias.name);
      }
    }
  }

  addNamed(named: SelectedName): void {
    const { name, component } = named;
    const isData = component === 'data';
    if (isData && this.#state.metadata.indices.has(name)) this.#indices.add(name);
    else if (isData && indicesOfAlias(this.#state, name).length > 0) this.#aliases.add(name);
    else if (this.#state.metadata.dataStreams.has(name)) this.#streams[component].add(name);
    else {
      checkNameMayExist(name);
      if (!this.#options.ignoreUnavailable) throw indexNotFound(withSelector(named));
    }
  }

  exclude({ name: pattern, component }: SelectedName): void {
    const ofIndices = component === 'data' ? [this.#indices, this.#aliases] : [];
    for (const names of [...ofIndices, this.#streams[component]]) {
      for (const name of names) if (simpleMatch(pattern, name)) names.delete(name);
    }
  }

  names(): ResolvedNames {
    const indices = [...this.#indices].sort().flatMap((name) => this.#state.metadata.indices.get(name) ?? []);
    const { dataStreams } = this.#state.metadata;
    const streams = (names: ReadonlySet<string>): readonly DataStream[] =>
      [...names].sort().flatMap((name) => dataStreams.get(name) ?? []);
    return {
      indices,
      aliases: [...this.#aliases].sort(),
      dataStreams: streams(this.#streams.data),
      failureStores: streams(this.#streams.failures),
    };
  }
}

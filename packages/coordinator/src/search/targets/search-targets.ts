/**
 * Which shards a search asks, and with which alias filter: a pure reading of one cluster state.
 *
 * The list is sorted by index name and shard number; the position in it is the tie-break among equal hits.
 */
import { shardIdForRouting } from '@shoal/cluster';
import type { AliasMetadata, ClusterState, IndexMetadata } from '@shoal/cluster-state';
import { writeJson } from '@shoal/core';
import type { ShardId } from '@shoal/shard-api';
import type { ResolvedIndex } from '../../indices/resolve-indices.ts';

export interface SearchTarget {
  /** Position in the list. */
  readonly position: number;
  readonly shard: ShardId;
  readonly index: IndexMetadata;
  /** Query JSON; null without one. */
  readonly aliasFilter: Uint8Array | null;
  /** Factor on the scores of its hits. */
  readonly indexBoost: number;
  /** The copy and its reader that a scroll or a point in time holds; null: any copy, as it is now. */
  readonly pinned: PinnedContext | null;
}

export interface PinnedContext {
  readonly nodeId: string;
  readonly allocationId: string;
  readonly contextId: number;
}

/**
 * @param routings values of the request's `routing`; empty: every shard
 * @param only numbers of the shards that its `preference` leaves; null: all
 */
export function searchTargets(
  indices: readonly ResolvedIndex[],
  routings: readonly string[],
  only: ReadonlySet<number> | null,
): readonly SearchTarget[] {
  const targets: SearchTarget[] = [];
  for (const resolved of indices) {
    const { index } = resolved;
    const aliasFilter = filterOfAliases(resolved.viaAliases);
    for (const number of shardNumbers(resolved, routings)) {
      if (only !== null && !only.has(number)) continue;
      const shard = { index: index.name, indexUuid: index.uuid, number };
      targets.push({ position: targets.length, shard, index, aliasFilter, pinned: null, indexBoost: 1 });
    }
  }
  return targets;
}

/** Every shard of concrete indices, without regard to aliases. */
export function targetsOfIndices({ metadata }: ClusterState, names: readonly string[]): readonly SearchTarget[] {
  const indices = names.flatMap((name) => metadata.indices.get(name) ?? []);
  return searchTargets(
    indices.map((index) => ({ index, viaAliases: [] })),
    [],
    null,
  );
}

function shardNumbers(resolved: ResolvedIndex, routings: readonly string[]): readonly number[] {
  const { index } = resolved;
  const ofAliases = routingsOfAliases(resolved.viaAliases);
  const wanted = wantedRoutings(routings, ofAliases);
  if (wanted === null) return Array.from({ length: index.numberOfShards }, (_, number) => number);
  const numbers = new Set(wanted.map((routing) => shardIdForRouting(index, routing, routing)));
  return [...numbers].sort((a, b) => a - b);
}

/** null: every shard. What the request and its aliases ask for must both hold. */
function wantedRoutings(ofRequest: readonly string[], ofAliases: readonly string[] | null): readonly string[] | null {
  if (ofAliases === null) return ofRequest.length === 0 ? null : ofRequest;
  return ofRequest.length === 0 ? ofAliases : ofAliases.filter((routing) => ofRequest.includes(routing));
}

/** null when any of the ways to the index leads to all of its shards. */
function routingsOfAliases(aliases: readonly AliasMetadata[]): readonly string[] | null {
  if (aliases.length === 0) return null;
  const routings: string[] = [];
  for (const alias of aliases) {
    if (alias.searchRouting === null) return null;
    routings.push(...alias.searchRouting.split(','));
  }
  return routings;
}

/** Documents that any of the aliases shows; null when one of them shows all. */
function filterOfAliases(aliases: readonly AliasMetadata[]): Uint8Array | null {
  const filters: Readonly<Record<string, unknown>>[] = [];
  for (const alias of aliases) {
    if (alias.filter === null) return null;
    filters.push(alias.filter);
  }
  const [only] = filters;
  if (only === undefined) return null;
  return writeJson(filters.length === 1 ? only : { bool: { should: filters, minimum_should_match: 1 } });
}

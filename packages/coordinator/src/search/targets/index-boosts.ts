/**
 * `indices_boost`: which factor the scores of each index get.
 */
import type { ClusterState } from '@shoal/cluster-state';
import type { IndexBoost } from '@shoal/query';
import type { IndicesOptions } from '../../indices/indices-options.ts';
import { resolveIndices } from '../../indices/resolve-indices.ts';
import type { SearchTarget } from './search-targets.ts';

/** The targets with their factors: of several names that fit an index the first counts. */
export function withIndexBoosts(
  state: ClusterState,
  targets: readonly SearchTarget[],
  boosts: readonly IndexBoost[],
  { options, nowMs }: { readonly options: IndicesOptions; readonly nowMs: number },
): readonly SearchTarget[] {
  if (boosts.length === 0) return targets;
  const factors = new Map<string, number>();
  for (const { pattern, boost } of boosts) {
    for (const { index } of resolveIndices(state, pattern, options, nowMs)) {
      if (!factors.has(index.name)) factors.set(index.name, boost);
    }
  }
  return targets.map((target) => ({ ...target, indexBoost: factors.get(target.shard.index) ?? 1 }));
}

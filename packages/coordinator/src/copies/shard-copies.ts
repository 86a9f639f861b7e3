/**
 * Copies of shards as routing has them: which serve, and which are primaries.
 */
import type { ClusterState, ShardRouting } from '@shoal/cluster-state';

/** It serves: reads and writes reach it. */
export function isActive(copy: ShardRouting): boolean {
  return copy.state === 'STARTED' || copy.state === 'RELOCATING';
}

/** Allocation ids of all assigned primaries. */
export function primaryAllocations(state: ClusterState): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const copy of [...state.routing.indices.values()].flat(2)) {
    if (copy.isPrimary && copy.allocationId !== null) ids.add(copy.allocationId);
  }
  return ids;
}

/** Which allocations of a cluster state are those of primaries. */
import type { ClusterState } from '@shoal/cluster-state';

/** Allocation ids of all assigned primaries. */
export function primaryAllocations(state: ClusterState): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const copy of [...state.routing.indices.values()].flat(2)) {
    if (copy.isPrimary && copy.allocationId !== null) ids.add(copy.allocationId);
  }
  return ids;
}

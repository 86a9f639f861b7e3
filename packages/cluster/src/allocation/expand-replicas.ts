/**
 * `index.auto_expand_replicas`: as many replicas as there are other nodes that may hold the index, within a range.
 */
import { type ClusterState, type IndexMetadata, withEntries } from '@shoal/cluster-state';
import { replicaRangeOf } from '@shoal/schema';
import { clusterSettings } from '../reading/cluster-settings.ts';
import { dataNodes } from '../reading/data-nodes.ts';
import { withReplicas } from './index-routing.ts';
import type { AllocationContext } from './rules/allocation-context.ts';
import { type AllocationFilter, failedFilter, readFilters } from './rules/allocation-filter.ts';

const RANGE = 'index.auto_expand_replicas';

/** The state in which every index with a range has the replicas that the nodes of the cluster ask for; often the same (===). */
export function expandReplicas(state: ClusterState, context: AllocationContext): ClusterState {
  const changed: IndexMetadata[] = [];
  for (const index of state.metadata.indices.values()) {
    if (index.settings[RANGE] === undefined) continue;
    const expanded = withExpandedReplicas(state, index, context);
    if (expanded !== index) changed.push({ ...expanded, settingsVersion: index.settingsVersion + 1 });
  }
  if (changed.length === 0) return state;
  const indices = withEntries(
    state.metadata.indices,
    changed.map((index) => [index.name, index] as const),
  );
  return withReplicas({ ...state, metadata: { ...state.metadata, indices } }, changed, context.nowMs);
}

/** The index with the replicas of its range; the same (===) when it has them, or no range. */
export function withExpandedReplicas(
  state: ClusterState,
  index: IndexMetadata,
  context: AllocationContext,
): IndexMetadata {
  const range = replicaRangeOf(index.settings[RANGE]);
  if (range === null) return index;
  const others = nodesThatMayHold(state, index, context) - 1;
  const numberOfReplicas = Math.max(range.min, Math.min(others, range.max));
  if (numberOfReplicas === index.numberOfReplicas) return index;
  const settings = { ...index.settings, 'index.number_of_replicas': String(numberOfReplicas) };
  return { ...index, settings, numberOfReplicas };
}

function nodesThatMayHold(state: ClusterState, index: IndexMetadata, context: AllocationContext): number {
  const filters: readonly AllocationFilter[] = [
    ...readFilters(clusterSettings(state, context.nodeSettings), 'cluster.routing.allocation'),
    ...readFilters(index.settings, 'index.routing.allocation'),
  ];
  return dataNodes(state).filter((node) => failedFilter(filters, node) === null).length;
}

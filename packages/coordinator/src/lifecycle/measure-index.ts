/**
 * Age and size of an index, as the conditions of a rollover look at them.
 */
import type { ClusterState, IndexMetadata } from '@shoal/cluster-state';
import type { CoordinatorContext } from '../context/coordinator-context.ts';
import { primaryAllocations } from '../copies/primary-allocations.ts';
import { gatherStats } from '../nodes/node-requests.ts';
import type { RolledIndex } from './rollover-conditions.ts';

/** Counts primaries only: replicas hold the same documents. */
export async function measureIndex(
  context: CoordinatorContext,
  state: ClusterState,
  index: IndexMetadata,
): Promise<RolledIndex> {
  const { copies } = await gatherStats(context, state, [index.name]);
  const primaries = primaryAllocations(state);
  const shards = copies.filter(({ allocationId }) => primaries.has(allocationId)).map(({ stats }) => stats);
  const docs = shards.map((stats) => stats.docCount ?? 0);
  const bytes = shards.map((stats) => stats.storeBytes ?? 0);
  return {
    ageMs: context.runtime.clock.wallMs() - index.creationDateMs,
    docs: docs.reduce((sum, count) => sum + count, 0),
    bytes: bytes.reduce((sum, size) => sum + size, 0),
    largestShardDocs: docs.reduce((most, count) => Math.max(most, count), 0),
    largestShardBytes: bytes.reduce((most, size) => Math.max(most, size), 0),
  };
}

/** What data nodes report, until nothing is left to report: recoveries end well, moves are handed over. */
import { type ClusterState, isRelocationTarget, type ShardRouting, sourceOf } from '@shoal/cluster-state';
import type { testContext } from '../value/cluster-states.test-support.ts';
import { reroute } from './reroute.ts';
import { applyShardStarted, handOverPrimary } from './shard-transitions.ts';

const ROUNDS_MAX = 2_000;

/** The copy has everything: it starts, or takes the place of the copy that it moves. */
export function started(
  state: ClusterState,
  copy: ShardRouting,
  context: ReturnType<typeof testContext>,
): ClusterState {
  const { index, shard, allocationId } = copy;
  const primaryTerm = state.metadata.indices.get(index)?.primaryTerms[shard] ?? 0;
  const at = { index, shard, allocationId: allocationId ?? '', primaryTerm };
  const source = isRelocationTarget(copy) ? sourceOf(copy, state.routing.indices.get(index)?.[shard] ?? []) : null;
  return source?.isPrimary === true
    ? handOverPrimary(state, { ...at, allocationId: source.allocationId ?? '', target: at.allocationId }, context)
    : applyShardStarted(state, at);
}

/** All copies that start have started, and those that start after them, until none is left. Throws when there is no end. */
export function settled(state: ClusterState, context: ReturnType<typeof testContext>): ClusterState {
  let next = reroute(state, context);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const starting = [...next.routing.indices.values()].flat(2).find((copy) => copy.state === 'INITIALIZING');
    if (starting === undefined) return next;
    next = reroute(started(next, starting, context), context);
  }
  throw new Error('copies move for ever');
}

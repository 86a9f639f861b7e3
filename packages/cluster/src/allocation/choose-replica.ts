/**
 * Node for a replica that has none. It recovers from its primary in any case; where a copy of the shard lies already, only
 * what that one lacks is sent, so that such a node is preferred, and one that left is waited for.
 */
import type { DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import { delayLeftMs } from './allocation-delay.ts';
import type { AllocationRound } from './allocation-round.ts';
import { type Choice, leave } from './choice.ts';
import { retryWaitMs } from './rules/allocation-retry.ts';
import { hasFailedOn } from './rules/returning-copy.ts';

type Candidate = { readonly node: DiscoveryNode; readonly verdict: 'YES' | 'THROTTLE' };

export function chooseReplica(round: AllocationRound, copy: ShardRouting): Choice {
  const { state, context } = round;
  const waitMs = retryWaitMs(state, copy, context.nowMs);
  if (waitMs !== null && waitMs > 0) return leave('deciders_throttled');
  const candidates: Candidate[] = [];
  for (const node of round.nodes) {
    const verdict = round.verdict(copy, node);
    if (verdict !== 'NO') candidates.push({ node, verdict });
  }
  if (candidates.length === 0) return leave('deciders_no');
  if (copy.unassigned?.reason !== 'INDEX_CREATED') {
    const held = bestHolder(round, copy, candidates);
    if (held === 'unknown') return leave('fetching_shard_data');
    if (held !== null) return held.verdict === 'YES' ? assign(round, held.node) : leave('deciders_throttled');
  }
  if (delayLeftMs(state, copy, context.nowMs) > 0) return leave('delayed_allocation');
  const allowed = candidates.filter(({ verdict }) => verdict === 'YES').map(({ node }) => node);
  const { node } = round.lightest(copy, allowed);
  return node === null ? leave('deciders_throttled') : assign(round, node);
}

/** Candidate whose disk has a copy of the shard, one in sync before any other; null: none has. */
function bestHolder(
  round: AllocationRound,
  copy: ShardRouting,
  candidates: readonly Candidate[],
): Candidate | 'unknown' | null {
  const inSync = round.changes.index(copy.index).inSyncAllocations[copy.shard] ?? [];
  let best: Candidate | null = null;
  let isBestInSync = false;
  for (const candidate of candidates) {
    const found = round.storeOn(copy, candidate.node);
    if (found === undefined) return 'unknown';
    if (found === null || hasFailedOn(copy, candidate.node)) continue;
    const isInSync = inSync.includes(found);
    if (best !== null && !(isInSync && !isBestInSync)) continue;
    best = candidate;
    isBestInSync = isInSync;
  }
  return best;
}

function assign(round: AllocationRound, node: DiscoveryNode): Choice {
  return { kind: 'assign', nodeId: node.id, allocationId: round.context.newAllocationId() };
}

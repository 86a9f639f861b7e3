/**
 * Node for a primary that has none: that of its documents, or, when it is new, the least loaded one.
 *
 * A primary that ever was started goes back only to a copy in its in-sync set, whatever else lies on disks: any other copy
 * may miss acknowledged writes. It keeps that copy's allocation id, so that a crash between the assignment and the start
 * leaves the set and the disk agreeing.
 */
import type { DiscoveryNode, ShardRouting } from '@shoal/cluster-state';
import { isNeverStarted } from '../reading/resize-source.ts';
import type { AllocationRound } from './allocation-round.ts';
import { type Choice, leave } from './choice.ts';
import { retryWaitMs } from './rules/allocation-retry.ts';

export function choosePrimary(round: AllocationRound, copy: ShardRouting): Choice {
  const { state, changes, nodes, context } = round;
  const waitMs = retryWaitMs(state, copy, context.nowMs);
  if (waitMs !== null && waitMs > 0) return leave('deciders_throttled');
  if (isNeverStarted(copy)) {
    const { node, isThrottled } = round.lightest(copy, nodes);
    if (node !== null) return { kind: 'assign', nodeId: node.id, allocationId: context.newAllocationId() };
    if (isThrottled) return leave('deciders_throttled');
    return leave(nodes.length === 0 ? 'no_attempt' : 'deciders_no');
  }
  const inSync = changes.index(copy.index).inSyncAllocations[copy.shard] ?? [];
  let isFetching = false;
  const holders: DiscoveryNode[] = [];
  for (const node of nodes) {
    const found = round.storeOn(copy, node);
    if (found === undefined) isFetching = true;
    else if (found !== null && inSync.includes(found)) holders.push(node);
  }
  const { node, isThrottled } = round.lightest(copy, holders);
  if (node === null && isThrottled) return leave('deciders_throttled');
  // The documents are there: no rule that says where copies are put keeps them from those who want them.
  const chosen = node ?? holders.find((holder) => round.existingPrimaryVerdict(copy, holder) === 'YES');
  const allocationId = chosen === undefined ? null : round.storeOn(copy, chosen);
  if (chosen !== undefined && typeof allocationId === 'string')
    return { kind: 'assign', nodeId: chosen.id, allocationId };
  if (holders.length > 0) return leave('deciders_no');
  return leave(isFetching ? 'fetching_shard_data' : 'no_valid_shard_copy');
}

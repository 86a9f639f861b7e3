/**
 * Takes their nodes from copies of one shard, and finds the shard another primary in the same change.
 *
 * Agrees with the group changes of the replication model: the copies that recover from a primary end with it, since they may
 * have got from it what nobody else has, and only a started copy in sync takes its place, in a new term.
 */

import type { ShardRouting, UnassignedInfo } from '@shoal/cluster-state';
import type { RoutingChanges } from './routing-changes.ts';

export interface ShardAt {
  readonly index: string;
  readonly shard: number;
}

const PRIMARY_FAILED_DETAILS = 'primary failed while replica initializing';

/** @param infoOf why the copy has no node any more; null: it keeps its node */
export function removeCopies(
  changes: RoutingChanges,
  { index, shard }: ShardAt,
  infoOf: (copy: ShardRouting) => UnassignedInfo | null,
  nowMs: number,
): void {
  const [primary, ...replicas] = changes.shardCopies(index, shard);
  if (primary === undefined) return;
  const primaryInfo = infoOf(primary);
  const rest = replicas.map((copy) => {
    const info = infoOf(copy) ?? (primaryInfo === null ? null : endWithPrimary(copy, nowMs));
    return info === null ? copy : unassigned(copy, info);
  });
  if (primaryInfo === null) {
    changes.replaceShard(index, shard, [primary, ...rest]);
    return;
  }
  const successor = successorIn(rest, changes.index(index).inSyncAllocations[shard] ?? []);
  if (successor === null) {
    changes.replaceShard(index, shard, [unassigned(primary, primaryInfo), ...rest]);
    return;
  }
  const demoted = unassigned({ ...primary, isPrimary: false }, primaryInfo);
  const promoted: ShardRouting = { ...successor, isPrimary: true, recoverySource: 'EXISTING_STORE' };
  changes.replaceShard(index, shard, [promoted, ...rest.map((copy) => (copy === successor ? demoted : copy))]);
  changes.bumpPrimaryTerm(index, shard);
}

/** First started copy in sync, by allocation id, as every reader of the state would find it. */
function successorIn(replicas: readonly ShardRouting[], inSync: readonly string[]): ShardRouting | null {
  let found: ShardRouting | null = null;
  for (const copy of replicas) {
    if (copy.state !== 'STARTED' || copy.allocationId === null || !inSync.includes(copy.allocationId)) continue;
    if (found === null || copy.allocationId < (found.allocationId ?? '')) found = copy;
  }
  return found;
}

function endWithPrimary(copy: ShardRouting, nowMs: number): UnassignedInfo | null {
  if (copy.state !== 'INITIALIZING') return null;
  return {
    reason: 'PRIMARY_FAILED',
    atMs: nowMs,
    failedAllocations: copy.unassigned?.failedAllocations ?? 0,
    details: PRIMARY_FAILED_DETAILS,
    allocationStatus: 'no_attempt',
    lastNodeId: copy.nodeId,
  };
}

function unassigned(copy: ShardRouting, info: UnassignedInfo): ShardRouting {
  return {
    ...copy,
    state: 'UNASSIGNED',
    nodeId: null,
    relocatingNodeId: null,
    allocationId: null,
    recoverySource: copy.isPrimary ? copy.recoverySource : 'PEER',
    // Only replicas wait for a node: a primary has no other place to go to.
    unassigned: copy.isPrimary ? { ...info, allocationStatus: 'no_attempt' } : info,
  };
}

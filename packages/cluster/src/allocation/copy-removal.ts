/**
 * Takes their nodes from copies of one shard, and finds the shard another primary in the same change.
 *
 * Agrees with the group changes of the replication model: the copies that recover from a primary end with it, since they may
 * have got from it what nobody else has, and only a started copy in sync takes its place, in a new term.
 */

import { type ShardRouting, sourceOf, targetOf, type UnassignedInfo } from '@shoal/cluster-state';
import { stayed, withTargetInPlace } from './relocation.ts';
import type { RoutingChanges } from './routing-changes.ts';

export interface ShardAt {
  readonly index: string;
  readonly shard: number;
}

const PRIMARY_FAILED_DETAILS = 'primary failed while replica initializing';
const PRIMARY_MOVED_DETAILS = 'primary moved while replica initializing';

/** @param infoOf why the copy has no node any more; null: it keeps its node */
export function removeCopies(
  changes: RoutingChanges,
  { index, shard }: ShardAt,
  infoOf: (copy: ShardRouting) => UnassignedInfo | null,
  nowMs: number,
): void {
  const copies = changes.shardCopies(index, shard);
  const [primary] = copies;
  if (primary === undefined) return;
  const primaryInfo = infoOf(primary);
  const infos = new Map<ShardRouting, UnassignedInfo>();
  for (const copy of copies) {
    const info =
      infoOf(copy) ?? (primaryInfo === null ? null : endWithPrimary(changes, copy, PRIMARY_FAILED_DETAILS, nowMs));
    if (info !== null) infos.set(copy, info);
  }
  const after = withoutNodes(copies, infos);
  const [, ...rest] = after;
  const successor =
    primaryInfo === null ? null : successorIn(rest, changes.index(index).inSyncAllocations[shard] ?? []);
  if (primaryInfo === null || successor === null) {
    changes.replaceShard(index, shard, after);
    return;
  }
  const demoted = unassigned({ ...primary, isPrimary: false }, primaryInfo);
  const promoted: ShardRouting = { ...successor, isPrimary: true, recoverySource: 'EXISTING_STORE' };
  changes.replaceShard(index, shard, [promoted, ...rest.map((copy) => (copy === successor ? demoted : copy))]);
  changes.bumpPrimaryTerm(index, shard);
}

/** The target of a primary takes its place, in a new term; copies that recover from the old primary end with it. */
export function replacePrimary(changes: RoutingChanges, target: ShardRouting, nowMs: number): void {
  const { index, shard } = target;
  const copies = changes.shardCopies(index, shard);
  const infos = new Map<ShardRouting, UnassignedInfo>();
  for (const copy of copies) {
    const info = copy === target ? null : endWithPrimary(changes, copy, PRIMARY_MOVED_DETAILS, nowMs);
    if (info !== null) infos.set(copy, info);
  }
  changes.replaceShard(index, shard, withTargetInPlace(withoutNodes(copies, infos), target));
  changes.bumpPrimaryTerm(index, shard);
}

/** Copies of a shard after those with an info have lost their nodes: a move is over with either end. */
function withoutNodes(
  copies: readonly ShardRouting[],
  infos: ReadonlyMap<ShardRouting, UnassignedInfo>,
): readonly ShardRouting[] {
  return copies.flatMap((copy) => {
    const info = infos.get(copy);
    const source = sourceOf(copy, copies);
    if (source !== null) {
      const sourceInfo = infos.get(source);
      if (info !== undefined) return [];
      // It recovers from the primary, and becomes the replica that its source was.
      return [sourceInfo === undefined ? copy : { ...copy, relocatingNodeId: null, unassigned: tried(sourceInfo) }];
    }
    const target = targetOf(copy, copies);
    const targetInfo = target === null ? undefined : infos.get(target);
    if (info !== undefined) return target !== null && targetInfo === undefined ? [] : [unassigned(copy, info)];
    return [targetInfo === undefined ? copy : stayed(copy, targetInfo.reason === 'ALLOCATION_FAILED')];
  });
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

function endWithPrimary(
  changes: RoutingChanges,
  copy: ShardRouting,
  details: string,
  nowMs: number,
): UnassignedInfo | null {
  if (copy.state !== 'INITIALIZING') return null;
  return {
    reason: 'PRIMARY_FAILED',
    atMs: nowMs,
    failedAllocations: copy.unassigned?.failedAllocations ?? 0,
    details,
    allocationStatus: 'no_attempt',
    ...changes.nodeOf(copy),
  };
}

/** Its copy has a node already. */
function tried(info: UnassignedInfo): UnassignedInfo {
  return { ...info, allocationStatus: 'no_attempt' };
}

function unassigned(
  { failedRelocations: _, isReturning: __, ...copy }: ShardRouting,
  info: UnassignedInfo,
): ShardRouting {
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

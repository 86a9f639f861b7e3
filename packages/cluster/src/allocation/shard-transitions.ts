/**
 * Transitions of copies: started, failed, left behind by a node. Pure: state in, state out, one transition a call.
 */

import {
  type ClusterState,
  type DiscoveryNode,
  type IndexMetadata,
  type ShardRouting,
  sourceOf,
  type UnassignedInfo,
  withoutTargets,
} from '@shoal/cluster-state';
import { indexNotFound, ShoalError } from '@shoal/core';
import { isNeverStarted } from '../reading/resize-source.ts';
import { nodeLeftDelayMs } from './allocation-delay.ts';
import { removeCopies, replacePrimary } from './copy-removal.ts';
import { withTargetInPlace } from './relocation.ts';
import { RoutingChanges } from './routing-changes.ts';
import type { AllocationContext } from './rules/allocation-context.ts';

export interface StartedShard {
  readonly index: string;
  readonly shard: number;
  readonly allocationId: string;
  readonly primaryTerm: number;
}

export interface FailedShard extends StartedShard {
  readonly markStale: boolean;
  readonly reason: string;
}

/** Longest failure text that is kept in the state. */
const DETAILS_MAX = 2_000;

/** The state with one copy started. */
export function applyShardStarted(state: ClusterState, started: StartedShard): ClusterState {
  const changes = new RoutingChanges(state);
  startShard(changes, started);
  return changes.finish();
}

/**
 * Marks a copy as started, among other changes: a thousand reports of a restart make one state and no more than one reroute. A copy that is not
 * starting under this id and term is ignored: the message is late.
 */
export function startShard(changes: RoutingChanges, started: StartedShard): void {
  const copies = changes.shardCopies(started.index, started.shard);
  const copy = copies.find(({ allocationId }) => allocationId === started.allocationId);
  const index = changes.findIndex(started.index);
  if (copy === undefined || index === null || copy.state !== 'INITIALIZING') return;
  if (index.primaryTerms[started.shard] !== started.primaryTerm) return;
  const source = sourceOf(copy, copies);
  // It has everything, and its source may still execute: only the source knows when it has stopped.
  if (source?.isPrimary === true) return;
  if (source !== null) {
    changes.replaceShard(started.index, started.shard, withTargetInPlace(copies, copy));
    moveInSync(changes, source, copy);
    return;
  }
  const recoverySource = copy.isPrimary ? 'EXISTING_STORE' : 'PEER';
  const { isForced: _, isReturning: __, ...same } = copy;
  changes.replace(copy, { ...same, state: 'STARTED', recoverySource, unassigned: null });
  const inSync = index.inSyncAllocations[started.shard] ?? [];
  if (!inSync.includes(started.allocationId)) {
    // A primary that started from nothing is the whole set: any other id belongs to a life that is over.
    const base = copy.isPrimary && isNeverStarted(copy) ? [] : inSync;
    changes.setInSync(
      started.index,
      started.shard,
      withinCopies([...base, started.allocationId], withoutTargets(copies)),
    );
  }
}

/**
 * Ends the move of a primary that has stopped executing, when its target and all other copies in sync have everything: the target leads in
 * the next term. Throws `no_longer_primary_shard_exception` when the copy is not the primary of that term, and 409 when it does
 * not move to that target (any more).
 */
export function handOverPrimary(
  state: ClusterState,
  at: StartedShard & { readonly target: string },
  context: Pick<AllocationContext, 'nowMs'>,
): ClusterState {
  confirmPrimary(state, at);
  const { index, shard, allocationId, target: targetId } = at;
  const changes = new RoutingChanges(state);
  const copies = changes.shardCopies(index, shard);
  const target = copies.find((copy) => copy.allocationId === targetId);
  const source = target === undefined ? null : sourceOf(target, copies);
  if (target === undefined || source?.allocationId !== allocationId) {
    throw new ShoalError('illegal_state_exception', 409, `[${index}][${shard}] does not move to [${targetId}]`);
  }
  replacePrimary(changes, target, context.nowMs);
  moveInSync(changes, source, target);
  return changes.finish();
}

/** The target holds all that its source held, which is gone: its place in the set is the target's. */
function moveInSync(changes: RoutingChanges, source: ShardRouting, { index, shard, allocationId }: ShardRouting): void {
  const inSync = changes.index(index).inSyncAllocations[shard] ?? [];
  const others = inSync.filter((id) => id !== source.allocationId && id !== allocationId);
  if (allocationId !== null) changes.setInSync(index, shard, [...others, allocationId]);
}

/**
 * The same state as a new one, whose commit proves that it was still in force; throws `no_longer_primary_shard_exception` when the
 * copy is not the primary of that term in it.
 */
export function confirmPrimary(
  state: ClusterState,
  { index, shard, allocationId, primaryTerm }: StartedShard,
): ClusterState {
  const metadata = state.metadata.indices.get(index);
  if (metadata === undefined) throw indexNotFound(index);
  const current = metadata.primaryTerms[shard];
  const primary = state.routing.indices.get(index)?.[shard]?.[0];
  if (current !== primaryTerm || primary?.allocationId !== allocationId) {
    throw noLongerPrimary(
      metadata,
      shard,
      `[${allocationId}] in term [${primaryTerm}] is not the primary: that is [${primary?.allocationId ?? 'none'}] in term [${current}]`,
    );
  }
  return { ...state };
}

/**
 * In-sync set with no more ids than the shard has copies. Without writes nobody marks the copies of earlier assignments
 * stale, and the set would grow with every restart of a node; the active copies hold all that those have.
 */
function withinCopies(inSync: readonly string[], copies: readonly ShardRouting[]): readonly string[] {
  let excess = inSync.length - copies.length;
  if (excess <= 0) return inSync;
  const assigned = new Set(copies.map((copy) => copy.allocationId));
  return inSync.filter((id) => assigned.has(id) || --excess < 0);
}

/** The state with one copy failed. */
export function applyShardFailed(
  state: ClusterState,
  failed: FailedShard,
  context: Pick<AllocationContext, 'nowMs'>,
): ClusterState {
  const changes = new RoutingChanges(state);
  failShard(changes, failed, context);
  return changes.finish();
}

/**
 * Takes the node from a copy, among other changes; it is tried again by the next reroute. A stale mark takes it from the in-sync set, assigned
 * or not: a write is to be acknowledged without it. Throws `no_longer_primary_shard_exception`, having changed nothing, for a report by a primary
 * of another term (term 0: the copy reports itself), and for a mark on the last copy in sync, which no primary of this term is then.
 */
export function failShard(
  changes: RoutingChanges,
  failed: FailedShard,
  context: Pick<AllocationContext, 'nowMs'>,
): void {
  const index = changes.findIndex(failed.index);
  const current = index?.primaryTerms[failed.shard];
  if (index === null || current === undefined) return;
  if (failed.primaryTerm !== 0 && failed.primaryTerm !== current) {
    throw noLongerPrimary(
      index,
      failed.shard,
      `primary term [${failed.primaryTerm}] did not match current primary term [${current}]`,
    );
  }
  const copies = changes.shardCopies(failed.index, failed.shard);
  const copy = copies.find(({ allocationId }) => allocationId === failed.allocationId) ?? null;
  const inSync = index.inSyncAllocations[failed.shard] ?? [];
  const isMarked = failed.markStale && inSync.includes(failed.allocationId);
  if (copy === null && !isMarked) return;
  if (copy === null && inSync.length === 1) {
    throw noLongerPrimary(index, failed.shard, `[${failed.allocationId}] is the last copy in sync`);
  }
  // The set never becomes empty by failing: the last copy that holds every acknowledged write stays the one to wait for.
  const rest = inSync.filter((id) => id !== failed.allocationId);
  if (isMarked && rest.length > 0) changes.setInSync(failed.index, failed.shard, rest);
  if (copy !== null) {
    const info: UnassignedInfo = {
      reason: 'ALLOCATION_FAILED',
      atMs: context.nowMs,
      failedAllocations: (copy.unassigned?.failedAllocations ?? 0) + 1,
      details: `failed shard on node [${copy.nodeId}]: ${failed.reason}`.slice(0, DETAILS_MAX),
      allocationStatus: 'no_attempt',
      ...changes.nodeOf(copy),
    };
    removeCopies(changes, failed, (other) => (other === copy ? info : null), context.nowMs);
  }
}

/** Copies of nodes that are gone (or of an earlier process of a node that is back) become unassigned. No reroute. */
export function dropCopiesOf(
  state: ClusterState,
  gone: readonly DiscoveryNode[],
  options: { readonly nowMs: number; readonly reason: 'NODE_LEFT' | 'CLUSTER_RECOVERED' },
): ClusterState {
  if (gone.length === 0) return state;
  // They are not among the nodes of the state any more.
  const names = new Map(gone.map(({ id, name }) => [id, name]));
  const isOnGone = ({ nodeId }: ShardRouting): boolean => nodeId !== null && names.has(nodeId);
  const changes = new RoutingChanges(state);
  // A primary that stays one has no other copy to go to; one that is replaced becomes a replica and waits as those do.
  const isWaitedFor = ({ index }: ShardRouting): boolean =>
    options.reason === 'NODE_LEFT' && nodeLeftDelayMs(changes.index(index)) > 0;
  const infoOf = (copy: ShardRouting): UnassignedInfo | null => {
    const lastNodeName = names.get(copy.nodeId ?? '');
    if (lastNodeName === undefined) return null;
    return {
      reason: options.reason,
      atMs: options.nowMs,
      failedAllocations: 0,
      details: options.reason === 'NODE_LEFT' ? `node_left [${copy.nodeId}]` : null,
      allocationStatus: isWaitedFor(copy) ? 'delayed_allocation' : 'no_attempt',
      lastNodeId: copy.nodeId,
      lastNodeName,
    };
  };
  for (const [index, shards] of state.routing.indices) {
    for (const [shard, copies] of shards.entries()) {
      if (copies.some(isOnGone)) removeCopies(changes, { index, shard }, infoOf, options.nowMs);
    }
  }
  return changes.finish();
}

/** Copies that were given up after too many failures get new attempts, to start and to move. */
export function resetFailedAllocations(state: ClusterState): ClusterState {
  const changes = new RoutingChanges(state);
  for (const copy of [...changes.shards()].flat()) {
    if (copy.failedRelocations !== undefined) {
      const { failedRelocations: _, ...fresh } = copy;
      changes.replace(copy, fresh);
      continue;
    }
    if (copy.state !== 'UNASSIGNED' || copy.unassigned === null || copy.unassigned.failedAllocations === 0) continue;
    changes.replace(copy, { ...copy, unassigned: { ...copy.unassigned, failedAllocations: 0 } });
  }
  return changes.finish();
}

function noLongerPrimary(index: IndexMetadata, shard: number, message: string): ShoalError {
  return new ShoalError('no_longer_primary_shard_exception', 500, message, {
    metadata: { index: index.name, shard: String(shard), index_uuid: index.uuid },
  });
}

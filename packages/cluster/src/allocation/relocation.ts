/**
 * Moves of copies from node to node: begun and ended. One that is cancelled loses its target as a copy loses its node (`copy-removal.ts`).
 *
 * While a copy moves, its shard has one entry more, the target; source and target name each other's nodes. The target of a
 * replica takes its place when it has started. That of a primary does not by starting: its source tells the cluster manager when
 * it has stopped executing and all copies have everything, and only then is the target primary, in a new term, so that a change
 * of primary by plan differs from a failover in nothing but that nobody waits for it.
 *
 * A target recovers from the primary, as every copy does: without its source the target of a replica recovers on as that replica.
 */
import { type ShardRouting, sourceOf } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import { isPrimaryActive } from '../reading/active-copy.ts';
import type { RoutingChanges } from './routing-changes.ts';

/** Where a copy moves to. */
export interface MoveTarget {
  readonly nodeId: string;
  /** Fresh. */
  readonly allocationId: string;
}

/** Why the copy cannot move at all now, wherever to; null: it can. Whether a node may have it, the deciders say. */
export function moveRefusal(changes: RoutingChanges, copy: ShardRouting): string | null {
  if (copy.state !== 'STARTED') return `shard is not started (state = ${copy.state})`;
  return isPrimaryActive(changes.shardCopies(copy.index, copy.shard)) ? null : 'its primary is not active';
}

/**
 * Begins the move of a started copy, whose primary is active, to a node without a copy of the shard.
 *
 * @returns both entries as they are in the changes now
 */
export function startRelocation(
  changes: RoutingChanges,
  copy: ShardRouting,
  { nodeId, allocationId }: MoveTarget,
): { readonly source: ShardRouting; readonly target: ShardRouting } {
  const { index, shard } = copy;
  const copies = changes.shardCopies(index, shard);
  const refusal = moveRefusal(changes, copy);
  assert(refusal === null, `[${index}][${shard}] on [${copy.nodeId}] cannot move: ${refusal}`);
  const source: ShardRouting = { ...copy, state: 'RELOCATING', relocatingNodeId: nodeId };
  const { failedRelocations: _, ...same } = copy;
  const target: ShardRouting = {
    ...same,
    isPrimary: false,
    state: 'INITIALIZING',
    nodeId,
    relocatingNodeId: copy.nodeId,
    allocationId,
    recoverySource: 'PEER',
    unassigned: null,
  };
  changes.replaceShard(index, shard, [...copies.map((other) => (other === copy ? source : other)), target]);
  return { source, target };
}

/** Copies after the target has taken the place of its source; that of a primary leads. */
export function withTargetInPlace(copies: readonly ShardRouting[], target: ShardRouting): readonly ShardRouting[] {
  const source = sourceOf(target, copies);
  const started: ShardRouting = {
    ...target,
    state: 'STARTED',
    isPrimary: source?.isPrimary === true,
    relocatingNodeId: null,
    recoverySource: source?.isPrimary === true ? 'EXISTING_STORE' : 'PEER',
    unassigned: null,
  };
  return copies.filter((copy) => copy !== target).map((copy) => (copy === source ? started : copy));
}

/** A copy that was on the move and is not any more. */
export function stayed(source: ShardRouting, hasFailed: boolean): ShardRouting {
  const failedRelocations = (source.failedRelocations ?? 0) + (hasFailed ? 1 : 0);
  const { failedRelocations: _, ...rest } = source;
  const same: ShardRouting = { ...rest, state: 'STARTED', relocatingNodeId: null };
  return failedRelocations === 0 ? same : { ...same, failedRelocations };
}

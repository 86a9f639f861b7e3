/**
 * Actions of a node on its shards, from the cluster state and the copies it has: a pure comparison.
 *
 * The state decides; this node only follows. Each action names the allocation it is about, so that one decided on an old
 * state never hits the copy of a newer one.
 */

import type { ClusterState, IndexMetadata, ShardRouting } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import { type ShardKey, shardKey } from '../calls/worker-calls.ts';

export type LocalPhase = 'opening' | 'open' | 'failed';

/** Copy that this node opens or has open. */
export interface LocalCopy {
  readonly allocationId: string;
  readonly primaryTerm: number;
  readonly phase: LocalPhase;
}

export interface Assignment {
  readonly key: ShardKey;
  readonly routing: ShardRouting;
  readonly index: IndexMetadata;
  readonly allocationId: string;
  readonly primaryTerm: number;
}

/** What a copy is opened from: nothing, its folder, shards of the index that its index is made of, or a snapshot. */
export type Bootstrap = 'create' | 'existing' | 'copy' | 'restore';

export type ShardAction =
  | { readonly kind: 'open'; readonly assignment: Assignment; readonly bootstrap: Bootstrap }
  | { readonly kind: 'close'; readonly key: ShardKey }
  /** The copy is ready here and the cluster manager does not know yet. */
  | { readonly kind: 'reportStarted'; readonly assignment: Assignment }
  /** The copy is not usable here and the cluster manager does not know yet. */
  | { readonly kind: 'reportFailed'; readonly assignment: Assignment; readonly reason: string }
  /** The copy is open here and leads the shard in a newer term. */
  | { readonly kind: 'lead'; readonly assignment: Assignment }
  /** Mapping and settings of an open copy may be old. */
  | { readonly kind: 'refreshMetadata'; readonly assignment: Assignment };

/** Every copy that the state assigns to the node. */
export function assignmentsOf(state: ClusterState, nodeId: string): ReadonlyMap<ShardKey, Assignment> {
  const assignments = new Map<ShardKey, Assignment>();
  for (const [name, shards] of state.routing.indices) {
    const index = state.metadata.indices.get(name);
    if (index === undefined) continue;
    for (const routing of shards.flat()) {
      if (routing.nodeId !== nodeId || routing.allocationId === null || routing.state === 'UNASSIGNED') continue;
      const key = shardKey(routing.indexUuid, routing.shard);
      const primaryTerm = index.primaryTerms[routing.shard];
      assert(primaryTerm !== undefined, `[${name}][${routing.shard}] has no primary term: [${index.primaryTerms}]`);
      assert(!assignments.has(key), `two copies of [${name}][${routing.shard}] are assigned to node [${nodeId}]`);
      assignments.set(key, { key, routing, index, allocationId: routing.allocationId, primaryTerm });
    }
  }
  return assignments;
}

export function planShards(
  assignments: ReadonlyMap<ShardKey, Assignment>,
  local: ReadonlyMap<ShardKey, LocalCopy>,
): readonly ShardAction[] {
  const actions: ShardAction[] = [];
  for (const [key, copy] of local) {
    const assignment = assignments.get(key);
    if (assignment === undefined || !staysOpen(assignment, copy)) actions.push({ kind: 'close', key });
  }
  for (const [key, assignment] of assignments) {
    const copy = local.get(key);
    if (copy === undefined || !staysOpen(assignment, copy)) actions.push(begin(assignment, copy));
    else actions.push(...follow(assignment, copy));
  }
  return actions;
}

/** An open copy takes a newer term as it is; one that is being opened has been told the old one. */
function staysOpen(assignment: Assignment, copy: LocalCopy): boolean {
  if (assignment.allocationId !== copy.allocationId) return false;
  const isLed = copy.phase === 'open' && assignment.routing.isPrimary && assignment.primaryTerm > copy.primaryTerm;
  return isLed || assignment.primaryTerm === copy.primaryTerm;
}

function begin(assignment: Assignment, before: LocalCopy | undefined): ShardAction {
  const { routing } = assignment;
  if (routing.recoverySource === 'PEER') {
    return {
      kind: 'reportFailed',
      assignment,
      reason: 'the node that was to hold the copy recovers none from another node',
    };
  }
  // Only the term of the same copy grew: its store is here.
  if (before !== undefined && before.allocationId === assignment.allocationId) {
    return { kind: 'open', assignment, bootstrap: 'existing' };
  }
  if (routing.state !== 'INITIALIZING') {
    const reason = 'cluster manager marked shard as started, but shard has not been created, mark shard as failed';
    return { kind: 'reportFailed', assignment, reason };
  }
  return { kind: 'open', assignment, bootstrap: bootstrapOf(routing) };
}

function bootstrapOf({ recoverySource }: ShardRouting): Bootstrap {
  if (recoverySource === 'EMPTY_STORE') return 'create';
  if (recoverySource === 'SNAPSHOT') return 'restore';
  return recoverySource === 'LOCAL_SHARDS' ? 'copy' : 'existing';
}

function follow(assignment: Assignment, copy: LocalCopy): readonly ShardAction[] {
  switch (copy.phase) {
    case 'opening':
      return [];
    case 'failed':
      return [{ kind: 'reportFailed', assignment, reason: 'the copy failed on its node' }];
    case 'open': {
      const isOlder = copy.primaryTerm < assignment.primaryTerm;
      return [
        ...(isOlder ? [{ kind: 'lead', assignment } as const] : []),
        { kind: 'refreshMetadata', assignment },
        ...(assignment.routing.state === 'INITIALIZING' ? [{ kind: 'reportStarted', assignment } as const] : []),
      ];
    }
  }
}

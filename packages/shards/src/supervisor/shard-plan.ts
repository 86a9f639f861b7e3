/**
 * Actions of a node on its shards, from the cluster state and the copies it has: a pure comparison.
 *
 * The state decides; this node only follows. Each action names the allocation it is about, so that one decided on an old
 * state never hits the copy of a newer one.
 */

import type { ClusterState, IndexMetadata, ShardRouting } from '@shoal/cluster-state';
import type { ShardKey } from '../calls/worker-calls.ts';

export type LocalPhase = 'opening' | 'open' | 'failed';

/** Copy that this node opens or has open. */
export interface LocalCopy {
  readonly allocationId: string;
  readonly primaryTerm: number;
  readonly isPrimary: boolean;
  /** It hears of new terms by its group, and enters them as it is. */
  readonly hasShell: boolean;
  readonly phase: LocalPhase;
}

export interface Assignment {
  readonly key: ShardKey;
  readonly routing: ShardRouting;
  readonly index: IndexMetadata;
  readonly allocationId: string;
  readonly primaryTerm: number;
}

/** What a copy is opened from: nothing, its folder, shards of the index that its index is made of, a snapshot, or the primary. */
export type Bootstrap = 'create' | 'existing' | 'copy' | 'restore' | 'peer';

/** How `_recovery` calls it. */
export const SOURCE_OF: Readonly<Record<Bootstrap, ShardRouting['recoverySource']>> = {
  create: 'EMPTY_STORE',
  existing: 'EXISTING_STORE',
  copy: 'LOCAL_SHARDS',
  restore: 'SNAPSHOT',
  peer: 'PEER',
};

export type ShardAction =
  | { readonly kind: 'open'; readonly assignment: Assignment; readonly bootstrap: Bootstrap }
  | { readonly kind: 'close'; readonly key: ShardKey }
  /** The copy is ready here and the cluster manager does not know yet. */
  | { readonly kind: 'reportStarted'; readonly assignment: Assignment }
  /** The copy is not usable here and the cluster manager does not know yet. */
  | { readonly kind: 'reportFailed'; readonly assignment: Assignment; readonly reason: string }
  /** The copy is open here and leads the shard in a newer term. */
  | { readonly kind: 'enterTerm'; readonly assignment: Assignment }
  /** Mapping and settings of an open copy may be old. */
  | { readonly kind: 'refreshMetadata'; readonly assignment: Assignment };

/** Other copies of its shard have, or had, what it has. */
export function hasOthers({ index, routing }: Assignment): boolean {
  return (index.inSyncAllocations[routing.shard]?.length ?? 0) > 1;
}

/** Node of the primary, which the copy recovers from; null: there is none. */
export function peerOf(state: ClusterState, { routing }: Assignment): string | null {
  return state.routing.indices.get(routing.index)?.[routing.shard]?.[0]?.nodeId ?? null;
}

/** @param keys copies that are, or were, assigned to the node or here, and may need something */
export function planShards(
  keys: Iterable<ShardKey>,
  assignments: ReadonlyMap<ShardKey, Assignment>,
  local: ReadonlyMap<ShardKey, LocalCopy>,
): readonly ShardAction[] {
  const actions: ShardAction[] = [];
  for (const key of keys) {
    const [assignment, copy] = [assignments.get(key), local.get(key)];
    if (copy !== undefined && (assignment === undefined || !staysOpen(assignment, copy))) {
      actions.push({ kind: 'close', key });
    }
    if (assignment === undefined) continue;
    if (copy === undefined || !staysOpen(assignment, copy)) actions.push(begin(assignment, copy));
    else actions.push(...follow(assignment, copy));
  }
  return actions;
}

/** An open copy takes a newer term as it is, and a replica any; a primary that is being opened has been told the old one. */
function staysOpen(assignment: Assignment, copy: LocalCopy): boolean {
  if (assignment.allocationId !== copy.allocationId || isBegunAgain(assignment, copy)) return false;
  if (copy.phase === 'open' && copy.hasShell) return true;
  if (!copy.isPrimary && !assignment.routing.isPrimary) return true;
  const isLed = copy.phase === 'open' && assignment.routing.isPrimary && assignment.primaryTerm > copy.primaryTerm;
  return isLed || assignment.primaryTerm === copy.primaryTerm;
}

/**
 * True for a primary that starts once more from its store, as the same allocation: its index was opened or closed. Where the store was
 * known already, no state in between shows it unassigned.
 */
function isBegunAgain({ routing, primaryTerm }: Assignment, copy: LocalCopy): boolean {
  return routing.isPrimary && routing.state === 'INITIALIZING' && primaryTerm > copy.primaryTerm;
}

function begin(assignment: Assignment, before: LocalCopy | undefined): ShardAction {
  const { routing } = assignment;
  // Only the term of the same copy grew: its store is here.
  const isTarget = routing.recoverySource === 'PEER';
  if (before !== undefined && before.allocationId === assignment.allocationId && !isTarget) {
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
  if (recoverySource === 'PEER') return 'peer';
  return recoverySource === 'LOCAL_SHARDS' ? 'copy' : 'existing';
}

/**
 * A copy that recovers from its primary says by itself when it has everything, and one that was forced to lead when its other history
 * is on disk.
 */
function isReported({ routing }: Assignment): boolean {
  return routing.state === 'INITIALIZING' && routing.recoverySource !== 'PEER' && routing.isForced !== true;
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
        ...(isOlder ? [{ kind: 'enterTerm', assignment } as const] : []),
        { kind: 'refreshMetadata', assignment },
        ...(isReported(assignment) ? [{ kind: 'reportStarted', assignment } as const] : []),
      ];
    }
  }
}

/**
 * What the cluster manager does to the copies of one shard, a change at a time: group to group, pure.
 *
 * A change counts when the cluster state that holds it is committed; only then may anybody be told. Which node gets a copy
 * is the allocation's matter, not this file's.
 */
import { assert } from '@shoal/core';
import type { ReplicationRules } from '../rules/replication-rules.ts';
import type { AllocationId, GroupCopy, NodeId, ShardGroup } from './shard-group.ts';

export interface CopyFailure {
  readonly allocationId: AllocationId;
  /** Term of the primary that reports it; 0: the copy failed by itself. */
  readonly primaryTerm: number;
  /** True: it lacks a write that is to be acknowledged, and leaves the in-sync set. */
  readonly markStale: boolean;
}

/** Where a copy is assigned. */
export interface GroupPlace {
  readonly allocationId: AllocationId;
  readonly node: NodeId;
}

export interface HandOver {
  /** The primary that asks for it. */
  readonly allocationId: AllocationId;
  readonly primaryTerm: number;
  readonly target: AllocationId;
}

/** `unchanged` is a success: what was asked for is already so. */
export type GroupChange =
  | { readonly kind: 'changed'; readonly group: ShardGroup }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly reason: 'noLongerPrimary' | 'lastInSync' | 'notAssignable' };

const UNCHANGED: GroupChange = { kind: 'unchanged' };
const NOT_ASSIGNABLE: GroupChange = { kind: 'refused', reason: 'notAssignable' };

/** A new shard: its only copy is its primary, and in sync for it has all there is. */
export function newGroup(allocationId: AllocationId, node: NodeId): ShardGroup {
  return {
    version: 1,
    primaryTerm: 1,
    primary: allocationId,
    inSync: new Set([allocationId]),
    copies: new Map([[allocationId, starting(node)]]),
  };
}

export function copyFailed(group: ShardGroup, failure: CopyFailure, rules: ReplicationRules): GroupChange {
  const { allocationId, primaryTerm, markStale } = failure;
  if (rules.managerRefusesOlderTerms && primaryTerm !== 0 && primaryTerm !== group.primaryTerm) {
    return { kind: 'refused', reason: 'noLongerPrimary' };
  }
  const isInSync = group.inSync.has(allocationId);
  const removesMark = markStale && isInSync;
  if (removesMark && group.inSync.size === 1 && rules.lastInSyncKept) return { kind: 'refused', reason: 'lastInSync' };
  if (!removesMark && !group.copies.has(allocationId)) return UNCHANGED;
  const inSync = removesMark ? without(group.inSync, allocationId) : group.inSync;
  return changed(group, removeCopies({ ...group, inSync }, [allocationId], rules), rules);
}

/** Every copy of a node that left is gone from it; those in sync stay in sync while no write goes by them. */
export function nodeLeft(group: ShardGroup, node: NodeId, rules: ReplicationRules): GroupChange {
  const gone = [...group.copies].filter(([, copy]) => copy.node === node).map(([id]) => id);
  return gone.length === 0 ? UNCHANGED : changed(group, removeCopies(group, gone, rules), rules);
}

/** A copy tells that it has recovered. Of another term, or of an assignment that is over, it means nothing. */
export function copyStarted(
  group: ShardGroup,
  started: { readonly allocationId: AllocationId; readonly primaryTerm: number },
  rules: ReplicationRules,
): GroupChange {
  const copy = group.copies.get(started.allocationId);
  if (copy === undefined || copy.state === 'started') return UNCHANGED;
  if (started.primaryTerm !== group.primaryTerm) return UNCHANGED;
  // It has everything, and its source may still execute: only the source knows when it has stopped.
  if (copy.replaces !== null && copy.replaces === group.primary && rules.sourceEndsHandOff) return UNCHANGED;
  return changed(group, takePlace(group, started.allocationId, copy, rules), rules);
}

/** A started copy moves to another node: a target is assigned there, which recovers from the primary beside it. */
export function startMove(
  group: ShardGroup,
  { replaces, ...place }: GroupPlace & { readonly replaces: AllocationId },
  rules: ReplicationRules,
): GroupChange {
  const isMoving = [...group.copies.values()].some((copy) => copy.replaces === replaces);
  if (isMoving || group.copies.get(replaces)?.state !== 'started') return NOT_ASSIGNABLE;
  return assignBeside(group, place, replaces, rules);
}

/** The target of a move goes, and its source stays. */
export function cancelMove(group: ShardGroup, target: AllocationId, rules: ReplicationRules): GroupChange {
  if ((group.copies.get(target)?.replaces ?? null) === null) return UNCHANGED;
  return changed(group, removeCopies(group, [target], rules), rules);
}

/**
 * The primary of this term has stopped executing, and its target has all that it had: the target is primary of the next term. A
 * copy that recovers from the old primary ends, as when that had failed.
 */
export function handOver(
  group: ShardGroup,
  { allocationId, primaryTerm, target }: HandOver,
  rules: ReplicationRules,
): GroupChange {
  const copy = group.copies.get(target);
  if (allocationId !== group.primary || primaryTerm !== group.primaryTerm) {
    return { kind: 'refused', reason: 'noLongerPrimary' };
  }
  if (copy === undefined || copy.replaces !== allocationId) return NOT_ASSIGNABLE;
  return changed(group, takePlace(group, target, copy, rules), rules);
}

/** A copy in sync, unassigned until now, becomes primary from what is on its node's disk. */
export function assignPrimary(group: ShardGroup, assigned: GroupPlace, rules: ReplicationRules): GroupChange {
  const { allocationId, node } = assigned;
  if (group.primary !== null) return NOT_ASSIGNABLE;
  if (rules.onlyInSyncPromoted && !group.inSync.has(allocationId)) return NOT_ASSIGNABLE;
  const copies = new Map(group.copies).set(allocationId, starting(node));
  return changed(group, { ...group, primary: allocationId, copies, primaryTerm: nextTerm(group, rules) }, rules);
}

/** The shard goes on from a copy that lacks acknowledged writes: only when somebody has accepted their loss. */
export function forcePrimary(group: ShardGroup, assigned: GroupPlace, rules: ReplicationRules): GroupChange {
  const { allocationId, node } = assigned;
  if (group.primary !== null) return NOT_ASSIGNABLE;
  const primaryTerm = nextTerm(group, rules);
  const copies = new Map([[allocationId, { ...starting(node), isForced: true }]]);
  const inSync = new Set([allocationId]);
  return changed(group, { ...group, primary: allocationId, copies, inSync, primaryTerm }, rules);
}

/** A new replica that its node recovers from the primary, which must be there for it. */
export function assignReplica(group: ShardGroup, place: GroupPlace, rules: ReplicationRules): GroupChange {
  return assignBeside(group, place, null, rules);
}

function assignBeside(
  group: ShardGroup,
  { allocationId, node }: GroupPlace,
  replaces: AllocationId | null,
  rules: ReplicationRules,
): GroupChange {
  const primary = group.primary === null ? undefined : group.copies.get(group.primary);
  const hasOneThere = [...group.copies.values()].some((copy) => copy.node === node);
  if (primary?.state !== 'started' || hasOneThere) return NOT_ASSIGNABLE;
  assert(!group.inSync.has(allocationId), `allocation id ${allocationId} is used twice`);
  const copies = new Map(group.copies).set(allocationId, { ...starting(node), replaces });
  return changed(group, { ...group, copies }, rules);
}

function starting(node: NodeId): GroupCopy {
  return { node, state: 'initializing', isForced: false, replaces: null };
}

/** The copy has started; what it replaces goes in the same change, and is not in sync any more. */
function takePlace(group: ShardGroup, id: AllocationId, copy: GroupCopy, rules: ReplicationRules): ShardGroup {
  const { replaces } = copy;
  const inSync = new Set(group.inSync).add(id);
  const copies = new Map(group.copies).set(id, { ...copy, state: 'started', isForced: false, replaces: null });
  if (replaces === null) return { ...group, copies, inSync };
  inSync.delete(replaces);
  if (replaces !== group.primary) {
    copies.delete(replaces);
    return { ...group, copies, inSync };
  }
  const rest = removeCopies({ ...group, copies, inSync }, [replaces], rules);
  return { ...rest, primary: id, primaryTerm: nextTerm(group, rules) };
}

function removeCopies(group: ShardGroup, gone: readonly AllocationId[], rules: ReplicationRules): ShardGroup {
  const copies = new Map(group.copies);
  for (const id of gone) copies.delete(id);
  const isPrimaryGone = group.primary !== null && gone.includes(group.primary);
  for (const [id, copy] of copies) {
    // An initialising copy recovers from the primary that is gone, and may have got from it what nobody else has.
    if (isPrimaryGone && copy.state === 'initializing' && rules.recoveriesEndWithPrimary) copies.delete(id);
    // Without its source the target of a replica recovers on, as the replica that it was to become.
    else if (copy.replaces !== null && !copies.has(copy.replaces)) copies.set(id, { ...copy, replaces: null });
  }
  if (!isPrimaryGone) return { ...group, copies };
  const candidate = successor(copies, group.inSync, rules);
  if (candidate === null) return { ...group, copies, primary: null };
  return { ...group, copies, primary: candidate, primaryTerm: nextTerm(group, rules) };
}

/** First started copy that may be primary, by allocation id, so that all who compute it agree. */
function successor(
  copies: ReadonlyMap<AllocationId, GroupCopy>,
  inSync: ReadonlySet<AllocationId>,
  rules: ReplicationRules,
): AllocationId | null {
  const started = [...copies].filter(([id, { state }]) => {
    return state === 'started' && (inSync.has(id) || !rules.onlyInSyncPromoted);
  });
  return started.map(([id]) => id).sort()[0] ?? null;
}

function nextTerm(group: ShardGroup, rules: ReplicationRules): number {
  return group.primaryTerm + (rules.termGrowsWithPrimary ? 1 : 0);
}

function changed(before: ShardGroup, after: ShardGroup, rules: ReplicationRules): GroupChange {
  const group: ShardGroup = { ...after, version: before.version + 1 };
  const { inSync, primary, copies, primaryTerm } = group;
  assert(inSync.size > 0 || !rules.lastInSyncKept, 'no copy is in sync');
  assert(primaryTerm >= before.primaryTerm, `primary term ${primaryTerm} is below ${before.primaryTerm}`);
  assert(primary === null || copies.has(primary), `primary ${primary} is assigned to no node`);
  assert(
    primary === null || inSync.has(primary) || !rules.onlyInSyncPromoted,
    `primary ${primary} is not in sync with [${[...inSync]}]`,
  );
  return { kind: 'changed', group };
}

function without<T>(set: ReadonlySet<T>, item: T): ReadonlySet<T> {
  return new Set([...set].filter((it) => it !== item));
}

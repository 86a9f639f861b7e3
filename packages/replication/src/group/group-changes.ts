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
    copies: new Map([[allocationId, { node, state: 'initializing', isForced: false }]]),
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
  const copies = new Map(group.copies).set(started.allocationId, { ...copy, state: 'started', isForced: false });
  const inSync = new Set(group.inSync).add(started.allocationId);
  return changed(group, { ...group, copies, inSync }, rules);
}

/** A copy in sync, unassigned until now, becomes primary from what is on its node's disk. */
export function assignPrimary(
  group: ShardGroup,
  assigned: { readonly allocationId: AllocationId; readonly node: NodeId },
  rules: ReplicationRules,
): GroupChange {
  const { allocationId, node } = assigned;
  if (group.primary !== null) return NOT_ASSIGNABLE;
  if (rules.onlyInSyncPromoted && !group.inSync.has(allocationId)) return NOT_ASSIGNABLE;
  const copies = new Map(group.copies).set(allocationId, { node, state: 'initializing', isForced: false } as const);
  return changed(group, { ...group, primary: allocationId, copies, primaryTerm: nextTerm(group, rules) }, rules);
}

/** The shard goes on from a copy that lacks acknowledged writes: only when somebody has accepted their loss. */
export function forcePrimary(
  group: ShardGroup,
  assigned: { readonly allocationId: AllocationId; readonly node: NodeId },
  rules: ReplicationRules,
): GroupChange {
  const { allocationId, node } = assigned;
  if (group.primary !== null) return NOT_ASSIGNABLE;
  const primaryTerm = nextTerm(group, rules);
  const copies = new Map([[allocationId, { node, state: 'initializing', isForced: true } as const]]);
  const inSync = new Set([allocationId]);
  return changed(group, { ...group, primary: allocationId, copies, inSync, primaryTerm }, rules);
}

/** A new replica that its node recovers from the primary, which must be there for it. */
export function assignReplica(
  group: ShardGroup,
  assigned: { readonly allocationId: AllocationId; readonly node: NodeId },
  rules: ReplicationRules,
): GroupChange {
  const { allocationId, node } = assigned;
  const primary = group.primary === null ? undefined : group.copies.get(group.primary);
  const hasOneThere = [...group.copies.values()].some((copy) => copy.node === node);
  if (primary?.state !== 'started' || hasOneThere) return NOT_ASSIGNABLE;
  assert(!group.inSync.has(allocationId), `allocation id ${allocationId} is used twice`);
  const copies = new Map(group.copies).set(allocationId, { node, state: 'initializing', isForced: false } as const);
  return changed(group, { ...group, copies }, rules);
}

function removeCopies(group: ShardGroup, gone: readonly AllocationId[], rules: ReplicationRules): ShardGroup {
  const copies = new Map(group.copies);
  for (const id of gone) copies.delete(id);
  if (group.primary === null || !gone.includes(group.primary)) return { ...group, copies };
  // An initialising copy recovers from the primary that is gone, and may have got from it what nobody else has.
  for (const [id, copy] of copies) {
    if (copy.state === 'initializing' && rules.recoveriesEndWithPrimary) copies.delete(id);
  }
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

/**
 * Where copies go: those without a node get one, primaries first, then replicas of those that are started; those that may not stay
 * where they are move; then nodes that have much give to those that have little.
 *
 * Pure; ties are broken by node id, so that every run decides alike.
 */
import type { ClusterState, ShardRouting } from '@shoal/cluster-state';
import { isPrimaryActive } from '../reading/active-copy.ts';
import { isDelayed } from '../reading/delayed-copy.ts';
import { isNeverStarted } from '../reading/resize-source.ts';
import { delayLeftMs } from './allocation-delay.ts';
import { AllocationRound } from './allocation-round.ts';
import { assigned, type Choice, leave, type Place } from './choice.ts';
import { choosePrimary } from './choose-primary.ts';
import { chooseReplica } from './choose-replica.ts';
import { moveAway } from './move-away.ts';
import { rebalance } from './rebalance.ts';
import type { AllocationContext } from './rules/allocation-context.ts';

/** Details of replicas in states of versions that assigned none: they say what is not so any more. */
const REPLICAS_UNASSIGNED =
  'the cluster manager that made this state assigns primaries only: its replicas stay unassigned';

/** The state with every copy assigned and on its way that can be; the same state (===) when none can. */
export function reroute(state: ClusterState, context: AllocationContext): ClusterState {
  const primaries: ShardRouting[] = [];
  const replicas: ShardRouting[] = [];
  const round = new AllocationRound(state, context, context.copies);
  for (const name of round.copies.unassigned()) {
    for (const copies of state.routing.indices.get(name) ?? []) {
      const isActive = isPrimaryActive(copies);
      for (const copy of copies) {
        if (copy.state !== 'UNASSIGNED') continue;
        if (copy.isPrimary) primaries.push(copy);
        // Without an active primary there is nothing to decide for a replica.
        else if (isActive || hasOutdatedDetails(copy)) replicas.push(copy);
      }
    }
  }
  for (const copy of primaries) assignPrimary(round, copy);
  for (const copy of replicas) assignReplica(round, copy);
  moveAway(round);
  rebalance(round);
  return round.changes.finish();
}

function assignPrimary(round: AllocationRound, copy: ShardRouting): void {
  const choice = choosePrimary(round, copy);
  if (choice.kind === 'leave') {
    note(round, copy, choice);
    return;
  }
  round.assign(copy, assigned(copy, choice));
  if (!isFirstStart(copy)) round.changes.bumpPrimaryTerm(copy.index, copy.shard);
}

function assignReplica(round: AllocationRound, copy: ShardRouting): void {
  const { context, changes } = round;
  if (hasOutdatedDetails(copy)) copy = withoutDetails(round, copy);
  if (!isPrimaryActive(changes.shardCopies(copy.index, copy.shard))) return;
  const choice = round.mayRecover(copy) ? chooseReplica(round, copy) : leave('deciders_throttled');
  if (choice.kind === 'assign') {
    round.assign(copy, recovering(round, copy, choice));
  } else if (isDelayed(copy) && delayLeftMs(round.state, copy, context.nowMs) === 0) {
    note(round, copy, { status: 'no_attempt' });
  }
}

function recovering(round: AllocationRound, copy: ShardRouting, place: Place): ShardRouting {
  const recovers: ShardRouting = { ...assigned(copy, place), recoverySource: 'PEER' };
  return round.isReturning(copy, place.nodeId) ? { ...recovers, isReturning: true } : recovers;
}

function hasOutdatedDetails({ unassigned }: ShardRouting): boolean {
  return unassigned?.details === REPLICAS_UNASSIGNED;
}

function withoutDetails(round: AllocationRound, copy: ShardRouting): ShardRouting {
  const info = copy.unassigned;
  if (info === null) return copy;
  const cleared: ShardRouting = { ...copy, unassigned: { ...info, details: null, allocationStatus: 'no_attempt' } };
  round.changes.replace(copy, cleared);
  return cleared;
}

/** A copy that was never given out and never failed: term 1 is its own already. */
function isFirstStart(copy: ShardRouting): boolean {
  const info = copy.unassigned;
  return isNeverStarted(copy) && info?.reason === 'INDEX_CREATED' && info.failedAllocations === 0;
}

function note(
  round: AllocationRound,
  copy: ShardRouting,
  { status }: Pick<Extract<Choice, { readonly kind: 'leave' }>, 'status'>,
): void {
  const info = copy.unassigned;
  if (info === null || info.allocationStatus === status) return;
  round.changes.replace(copy, { ...copy, unassigned: { ...info, allocationStatus: status } });
}

/**
 * A committed group reaches a copy: it opens, becomes primary, learns who is there, or ends.
 */
import { closeCopy, failItself } from '../copy/closing.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { ShardGroup } from '../group/shard-group.ts';
import { copyIsOut, failCopy } from '../primary/failed-copies.ts';
import { advance } from '../primary/pending-writes.ts';
import { promote } from '../primary/promotion.ts';
import { beginRecovery } from '../recovery/recovery-target.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { absentInSync, withGroup } from '../tracker/replication-tracker.ts';

/** `wait`: this copy is to become primary, and operations of the old term still run. */
export function groupChanged<O extends ShardOperation>(turn: CopyTurn<O>, group: ShardGroup): 'done' | 'wait' {
  const { state, rules } = turn;
  const { allocationId, phase, jobs } = state;
  if (state.group !== null && group.version <= state.group.version) return 'done';
  const assigned = group.copies.get(allocationId);
  const isPrimary = group.primary === allocationId;
  if (assigned === undefined) closeCopy(turn, 'the copy is assigned to this node no more');
  else if (turn.isPrimary) {
    if (!isPrimary) closeCopy(turn, 'another copy is primary');
    else if (group.primaryTerm > state.term) closeCopy(turn, 'the copy is assigned again');
    else membersChanged(turn, group);
  } else if (isPrimary && group.primaryTerm >= state.knownTerm) {
    if (jobs.size > 0 && rules.drainedBeforeNewTerm) return 'wait';
    promote(turn, group);
  } else {
    turn.patch({ group, knownTerm: Math.max(state.knownTerm, group.primaryTerm) });
    if (phase !== 'opening') return 'done';
    if (assigned.state === 'initializing') {
      if (group.primary !== null) beginRecovery(turn, group);
      return 'done';
    }
    failItself(turn, 'a copy that the cluster has started opens here: what it missed since is not known');
  }
  return 'done';
}

function membersChanged<O extends ShardOperation>(turn: CopyTurn<O>, group: ShardGroup): void {
  const before = turn.primary.tracker;
  const after = withGroup(before, group);
  turn.patch({ group });
  for (const id of before.copies.keys()) if (!after.copies.has(id)) copyIsOut(turn, id);
  const ended = [...turn.primary.recoveries.keys()].filter((id) => !group.copies.has(id));
  // One that the cluster manager has counted in sync already is not out by leaving: it holds writes until it is marked stale.
  for (const id of ended) if (!group.inSync.has(id)) copyIsOut(turn, id);
  const recoveries = new Map([...turn.primary.recoveries].filter(([id]) => group.copies.has(id)));
  turn.patchPrimary({ recoveries });
  advance(turn, withGroup(turn.primary.tracker, group));
  dropUnwrittenRequests(turn, group);
  // A write waits for it and will get no answer: only its stale mark lets the write go on.
  const awaited = new Set([...turn.primary.writes.values()].flatMap(({ waitingFor }) => [...waitingFor]));
  for (const id of absentInSync(turn.primary.tracker)) if (awaited.has(id)) failCopy(turn, id);
}

/**
 * Nobody answers for a copy without a node. What it was asked on behalf of no write is dropped, so that its silence is no failure: it stays in sync
 * until a write comes that it lacks.
 */
function dropUnwrittenRequests<O extends ShardOperation>(turn: CopyTurn<O>, group: ShardGroup): void {
  const { requests } = turn.state;
  const kept = [...requests].filter(([, { to, ticket }]) => ticket !== null || group.copies.has(to));
  if (kept.length < requests.size) turn.patch({ requests: new Map(kept) });
}

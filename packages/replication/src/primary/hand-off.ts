/**
 * Hand-off: a primary that moves to another node stops executing and has the cluster manager make its target primary.
 *
 * The target recovers as any copy does, and is in sync for its primary before anything else happens. Then, in this order:
 * 1. Permits close: writes that come wait, nothing is executed any more.
 * 2. What was executed is acknowledged or refused, so that every copy in sync has it; and all know the global checkpoint, so
 *    that none has to go back when the new term begins.
 * 3. The primary, and never its target, asks the cluster manager to hand over. In one committed update the target is primary of
 *    the next term and the old primary is out.
 * 4. Writes that waited are told that this copy is not primary. They were not executed, so whoever sent them asks the new one.
 *
 * It is a failover that nobody has to wait for: the new primary comes by the same promotion, in a term of its own. Therefore
 * the primary may open its permits again at any time, and does so when no answer comes within a limit. Should the update come
 * afterwards, what was acknowledged since is on the target as well, being in sync, and what was not is refused by the higher term.
 */
import { closeCopy } from '../copy/closing.ts';
import type { ClientWrite, ManagerAnswer } from '../copy/copy-events.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { AllocationId } from '../group/shard-group.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { isCheckpointTold, tellCheckpointAndLeases } from './told-checkpoints.ts';
import { write } from './writing.ts';

/** Writes that wait for a hand-off; more are told at once that this copy is not primary, and come again. */
const WAITING_MAX = 10_000;
/** Time from a hand-off that came to nothing to the next. */
const PAUSE_MS = 5_000;

/** A write takes a permit, or waits for one. */
export function writeWithPermit<O extends ShardOperation>(turn: CopyTurn<O>, event: ClientWrite): void {
  const { handOff } = turn.primary;
  if (handOff === null || !turn.rules.handOffClosesPermits) write(turn, event);
  else if (handOff.isCommitted || handOff.waiting.length >= WAITING_MAX)
    turn.reply(event.ticket, { kind: 'notPrimary' });
  else turn.patchPrimary({ handOff: { ...handOff, waiting: [...handOff.waiting, event] } });
}

/** Begins a hand-off that can begin, and takes one that has begun as far as it can go. */
export function advanceHandOff<O extends ShardOperation>(turn: CopyTurn<O>): void {
  if (turn.state.phase !== 'primary') return;
  if (turn.primary.handOff === null) begin(turn);
  const { handOff } = turn.primary;
  if (handOff === null || handOff.isCommitted) return;
  if (!movesTo(turn, handOff.target)) {
    openAgain(turn);
    return;
  }
  if (handOff.ask !== null || (turn.rules.handOffAwaitsWrites && !isDrained(turn))) return;
  if (!isCheckpointTold(turn)) {
    tellCheckpointAndLeases(turn);
    return;
  }
  const { allocationId, term: primaryTerm, nextAsk } = turn.state;
  turn.patchPrimary({ handOff: { ...handOff, ask: nextAsk } });
  turn.ask({ kind: 'handOver', allocationId, primaryTerm, target: handOff.target });
}

/** By the clock: a hand-off that takes too long is given up for now. */
export function endSlowHandOff<O extends ShardOperation>(turn: CopyTurn<O>): void {
  const { handOff } = turn.primary;
  if (handOff === null || handOff.isCommitted) return;
  if (turn.state.nowMs - handOff.sinceMs > turn.context.handOffMaxMs) openAgain(turn);
}

/** The cluster manager has answered a question to hand over, which may be one that was given up. */
export function handOverAnswered<O extends ShardOperation>(
  turn: CopyTurn<O>,
  { ask, target }: { readonly ask: number; readonly target: AllocationId },
  answer: Exclude<ManagerAnswer, 'noLongerPrimary'>,
): void {
  const { handOff } = turn.primary;
  if (answer === 'unavailable') {
    if (handOff?.ask === ask) turn.patchPrimary({ handOff: { ...handOff, ask: null } });
    return;
  }
  if (handOff?.target !== target) {
    closeCopy(turn, 'another copy is primary');
    return;
  }
  for (const { ticket } of handOff.waiting) turn.reply(ticket, { kind: 'notPrimary' });
  turn.patchPrimary({ handOff: { ...handOff, isCommitted: true, waiting: [] } });
}

function begin<O extends ShardOperation>(turn: CopyTurn<O>): void {
  const { group, nowMs } = turn.state;
  const { tracker, recoveries, failing, handOffFromMs } = turn.primary;
  if (nowMs < handOffFromMs) return;
  for (const target of group?.copies.keys() ?? []) {
    if (!movesTo(turn, target) || failing.has(target)) continue;
    const hasAll = tracker.copies.get(target)?.isInSync === true && !recoveries.has(target);
    if (!hasAll && turn.rules.handOffToInSync) continue;
    turn.patchPrimary({ handOff: { target, sinceMs: nowMs, ask: null, isCommitted: false, waiting: [] } });
    return;
  }
}

function movesTo<O extends ShardOperation>({ state }: CopyTurn<O>, target: AllocationId): boolean {
  return state.group?.copies.get(target)?.replaces === state.allocationId;
}

function isDrained<O extends ShardOperation>(turn: CopyTurn<O>): boolean {
  return turn.primary.writes.size === 0 && ![...turn.state.jobs.values()].some(({ kind }) => kind === 'write');
}

function openAgain<O extends ShardOperation>(turn: CopyTurn<O>): void {
  const { handOff } = turn.primary;
  turn.patchPrimary({ handOff: null, handOffFromMs: turn.state.nowMs + PAUSE_MS });
  for (const event of handOff?.waiting ?? []) write(turn, event);
}

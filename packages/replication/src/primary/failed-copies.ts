/**
 * Copies that fail a primary: writes go on without one only when the cluster manager has committed that it is stale.
 *
 * A primary that is cut off gets no such answer, and acknowledges nothing. One that was replaced is told so, and ends.
 */
import { closeCopy } from '../copy/closing.ts';
import type { ManagerAnswer } from '../copy/copy-events.ts';
import type { OpenAsk } from '../copy/copy-state.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import type { AllocationId } from '../group/shard-group.ts';
import { highestSeqNo } from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { withoutKey } from '../sequence/without.ts';
import { dropRequestsTo } from './copy-requests.ts';
import { handOverAnswered } from './hand-off.ts';
import { countOut, takeOut } from './pending-writes.ts';

/**
 * @param how `gone`: its node has it no more. It was moved or taken away, which is no failure that a client should hear of, or it
 *            failed by itself, which the cluster manager hears from its node.
 */
export function failCopy<O extends ShardOperation>(
  turn: CopyTurn<O>,
  allocationId: AllocationId,
  how: 'failed' | 'gone' = 'failed',
): void {
  const { failing, tracker, recoveries } = turn.primary;
  if (failing.has(allocationId) || !(tracker.copies.has(allocationId) || recoveries.has(allocationId))) return;
  turn.patchPrimary({ failing: new Map(failing).set(allocationId, how) });
  turn.ask({ kind: 'copyFailed', allocationId, primaryTerm: turn.state.term, markStale: true });
  if (!turn.rules.staleMarkBeforeAck) countOut(turn, allocationId, true);
}

/**
 * The copy is out: committed, whether because this primary asked for it or for another reason. One that nobody called failed has
 * moved, or is not wanted any more.
 */
export function copyIsOut<O extends ShardOperation>(turn: CopyTurn<O>, allocationId: AllocationId): void {
  const { failing, recoveries } = turn.primary;
  turn.patchPrimary({ failing: withoutKey(failing, allocationId), recoveries: withoutKey(recoveries, allocationId) });
  endRecoveryReads(turn, allocationId);
  dropRequestsTo(turn, allocationId);
  countOut(turn, allocationId, failing.get(allocationId) === 'failed');
  if (turn.primary.tracker.copies.has(allocationId)) takeOut(turn, allocationId);
}

export function managerAnswered<O extends ShardOperation>(turn: CopyTurn<O>, ask: number, answer: ManagerAnswer): void {
  const open = turn.state.asks.get(ask);
  if (open === undefined) return;
  turn.patch({ asks: withoutKey(turn.state.asks, ask) });
  if (open.request.kind === 'handOver' && answer !== 'noLongerPrimary') {
    if (turn.isPrimary) handOverAnswered(turn, { ask, target: open.request.target }, answer);
    return;
  }
  if (answer === 'unavailable' && open.ticket === null) {
    if (turn.rules.managerAwaited || !turn.isPrimary) turn.ask(open.request);
    else answered(turn, open);
  } else if (answer === 'noLongerPrimary' && turn.isPrimary && turn.rules.stepsDown) {
    if (open.ticket !== null) turn.reply(open.ticket, { kind: 'notPrimary' });
    closeCopy(turn, 'another copy is primary');
  } else if (answer === 'unavailable' && open.ticket !== null) turn.reply(open.ticket, { kind: 'unknown' });
  else answered(turn, open);
}

function answered<O extends ShardOperation>(turn: CopyTurn<O>, { request, ticket }: OpenAsk): void {
  if (!turn.isPrimary) return;
  if (request.kind === 'copyFailed') copyIsOut(turn, request.allocationId);
  if (request.kind === 'confirmPrimary' && ticket !== null) readNow(turn, ticket);
}

/** Everything acknowledged before the read came is here. */
function readNow<O extends ShardOperation>(turn: CopyTurn<O>, ticket: string): void {
  turn.patchPrimary({ reads: new Map(turn.primary.reads).set(ticket, null) });
  turn.emit({ kind: 'readNow', ticket });
}

/** What the read saw must be on every copy before it is shown, also what the engine has numbered and not told yet. */
export function wasRead<O extends ShardOperation>(turn: CopyTurn<O>, ticket: string, maxSeqNo: number): void {
  const { processed, globalCheckpoint } = turn.state;
  const { reads } = turn.primary;
  if (!reads.has(ticket)) return;
  const seen = turn.rules.readsCountNumbered ? maxSeqNo : highestSeqNo(processed);
  if (seen <= globalCheckpoint) {
    turn.patchPrimary({ reads: withoutKey(reads, ticket) });
    turn.reply(ticket, { kind: 'readConfirmed' });
  } else turn.patchPrimary({ reads: new Map(reads).set(ticket, seen) });
}

/** Nobody wants the history any more that is read for this copy. */
function endRecoveryReads<O extends ShardOperation>(turn: CopyTurn<O>, target: AllocationId): void {
  for (const [number, job] of turn.state.jobs) {
    if (job.kind !== 'recoveryRead' || job.target !== target) continue;
    turn.endJob(number);
    turn.emit({ kind: 'endRead', job: number });
  }
}

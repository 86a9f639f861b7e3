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
import { withoutItem, withoutKey } from '../sequence/without.ts';
import { dropRequestsTo } from './copy-requests.ts';
import { countOut, takeOut } from './pending-writes.ts';

export function failCopy<D>(turn: CopyTurn<D>, allocationId: AllocationId): void {
  const { failing, tracker, recoveries } = turn.primary;
  if (failing.has(allocationId) || !(tracker.copies.has(allocationId) || recoveries.has(allocationId))) return;
  turn.patchPrimary({ failing: new Set(failing).add(allocationId) });
  turn.ask({ kind: 'copyFailed', allocationId, primaryTerm: turn.state.term, markStale: true });
  if (!turn.rules.staleMarkBeforeAck) countOut(turn, allocationId);
}

/** The copy is out: committed, whether because this primary asked for it or for another reason. */
export function copyIsOut<D>(turn: CopyTurn<D>, allocationId: AllocationId): void {
  const { failing, recoveries } = turn.primary;
  turn.patchPrimary({ failing: withoutItem(failing, allocationId), recoveries: withoutKey(recoveries, allocationId) });
  dropRequestsTo(turn, allocationId);
  countOut(turn, allocationId);
  if (turn.primary.tracker.copies.has(allocationId)) takeOut(turn, allocationId);
}

export function managerAnswered<D>(turn: CopyTurn<D>, ask: number, answer: ManagerAnswer): void {
  const open = turn.state.asks.get(ask);
  if (open === undefined) return;
  turn.patch({ asks: withoutKey(turn.state.asks, ask) });
  if (answer === 'unavailable' && open.ticket === null) {
    if (turn.rules.managerAwaited || !turn.isPrimary) turn.ask(open.request);
    else answered(turn, open);
  } else if (answer === 'noLongerPrimary' && turn.isPrimary && turn.rules.stepsDown) {
    if (open.ticket !== null) turn.reply(open.ticket, { kind: 'notPrimary' });
    closeCopy(turn, 'another copy is primary');
  } else if (answer === 'unavailable' && open.ticket !== null) turn.reply(open.ticket, { kind: 'unknown' });
  else answered(turn, open);
}

function answered<D>(turn: CopyTurn<D>, { request, ticket }: OpenAsk): void {
  if (!turn.isPrimary) return;
  if (request.kind === 'copyFailed') copyIsOut(turn, request.allocationId);
  if (request.kind === 'confirmPrimary' && ticket !== null) readNow(turn, ticket);
}

/** Everything acknowledged before the read came is here; what the read sees must be on every copy before it is shown. */
function readNow<D>(turn: CopyTurn<D>, ticket: string): void {
  const { processed, globalCheckpoint } = turn.state;
  turn.emit({ kind: 'readNow', ticket });
  const seen = highestSeqNo(processed);
  if (seen <= globalCheckpoint) turn.reply(ticket, { kind: 'readConfirmed' });
  else turn.patchPrimary({ reads: new Map(turn.primary.reads).set(ticket, seen) });
}

/**
 * What the cluster manager answered: a copy is out, this primary still leads, or its target does. A primary that was replaced is told so, and
 * ends.
 */
import { closeCopy } from '../copy/closing.ts';
import type { ManagerAnswer } from '../copy/copy-events.ts';
import type { OpenAsk } from '../copy/copy-state.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import { highestSeqNo } from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { withoutKey } from '../sequence/without.ts';
import { copyIsOut } from './failed-copies.ts';
import { handOverAnswered } from './hand-off.ts';

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

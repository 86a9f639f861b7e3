/**
 * Operations from the primary: executed in any order, each once, durable before they are answered.
 */
import { assert } from '@shoal/core';
import type { CopyRequest } from '../copy/copy-messages.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import { addSeqNos, hasSeqNo, hasSeqNos, rangesOf, removeRange, type SeqNoRange } from '../sequence/seq-no-ranges.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { enterTerm, trimAbove } from './new-term.ts';

type Replicate<O extends ShardOperation> = Extract<CopyRequest<O>, { readonly kind: 'replicate' }>;

/** `wait`: jobs run that must end before the request's term is entered; the caller brings it again. */
export function replicate<O extends ShardOperation>(
  turn: CopyTurn<O>,
  replyTo: string,
  request: Replicate<O>,
): 'done' | 'wait' {
  const { rules } = turn;
  const { phase, knownTerm, term: ownTerm } = turn.state;
  if (rules.olderTermsRefused && request.term < knownTerm) {
    turn.emit({ kind: 'answer', replyTo, response: { kind: 'refused', reason: 'termTooOld', term: knownTerm } });
    return 'done';
  }
  const isMember = phase === 'replica' || (phase === 'recovering' && request.term === ownTerm);
  if (!isMember) {
    turn.emit({ kind: 'answer', replyTo, response: { kind: 'refused', reason: 'notHere', term: knownTerm } });
    return 'done';
  }
  if ([...turn.state.jobs.values()].some(({ kind }) => kind === 'rollback')) return 'wait';
  if (request.term > ownTerm) {
    if (turn.state.jobs.size > 0 && rules.drainedBeforeNewTerm) return 'wait';
    enterTerm(turn, request.term, request.globalCheckpoint);
    // The operations follow when the documents are those of the global checkpoint.
    if (turn.state.jobs.size > 0) return 'wait';
  }
  executeNew(turn, request);
  if (request.trimAbove !== null) trimAbove(turn, request.trimAbove);
  takeGlobalCheckpoint(turn, request.globalCheckpoint);
  if (request.leases !== null) turn.keepLeases(request.leases);
  const ranges = rangesOf(request.operations.map(({ seqNo }) => seqNo));
  const { waitsForSync } = request;
  turn.patch({ awaitingSync: [...turn.state.awaitingSync, { replyTo, ranges, waitsForSync }] });
  answerWhatIsDurable(turn);
  return 'done';
}

/** The engine has executed operations: they are processed, and durable after the next sync. */
export function operationsExecuted<O extends ShardOperation>(turn: CopyTurn<O>, ranges: readonly SeqNoRange[]): void {
  const { processed, unsynced, nextSync: sync } = turn.state;
  turn.patch({
    processed: addSeqNos(processed, ranges),
    unsynced: [...unsynced, { sync, ranges }],
    nextSync: sync + 1,
  });
  turn.emit({ kind: 'sync', number: sync });
  answerWhatIsDurable(turn);
}

export function logSynced<O extends ShardOperation>(turn: CopyTurn<O>, through: number): void {
  const { unsynced, persisted } = turn.state;
  const durable = unsynced.filter(({ sync }) => sync <= through).flatMap(({ ranges }) => ranges);
  turn.patch({
    persisted: addSeqNos(persisted, durable),
    unsynced: unsynced.filter(({ sync }) => sync > through),
  });
  answerWhatIsDurable(turn);
}

function executeNew<O extends ShardOperation>(turn: CopyTurn<O>, request: Replicate<O>): void {
  const { state, rules } = turn;
  const running = [...state.jobs.values()].flatMap((job) => (job.kind === 'execute' ? job.ranges : []));
  const isHere = (seqNo: number): boolean =>
    hasSeqNo(state.processed, seqNo) || running.some(({ first, last }) => first <= seqNo && seqNo <= last);
  const operations = request.operations.filter(({ seqNo }) => !rules.duplicatesSkipped || !isHere(seqNo));
  if (operations.length === 0) return;
  const ranges = rangesOf(operations.map(({ seqNo }) => seqNo));
  turn.patch({ unconfirmed: ranges.reduce(removeRange, state.unconfirmed) });
  turn.emit({ kind: 'execute', job: turn.startJob({ kind: 'execute', ranges }), operations });
}

/** A copy that is not in sync yet is told checkpoints it has not reached: it knows what it has. */
export function takeGlobalCheckpoint<O extends ShardOperation>(turn: CopyTurn<O>, told: number): void {
  const { globalCheckpoint, persisted } = turn.state;
  const reached = Math.min(told, persisted.checkpoint);
  if (reached <= globalCheckpoint) return;
  turn.patch({ globalCheckpoint: reached });
  turn.emit({ kind: 'keepGlobalCheckpoint', globalCheckpoint: reached });
}

function answerWhatIsDurable<O extends ShardOperation>(turn: CopyTurn<O>): void {
  const { state, rules } = turn;
  const { globalCheckpoint, processed } = state;
  const answered = rules.replicaSyncBeforeAnswer ? state.persisted : processed;
  assert(globalCheckpoint <= answered.checkpoint || !rules.rollsBack, `global checkpoint ${globalCheckpoint} is ahead`);
  const waiting = state.awaitingSync.filter(({ replyTo, ranges, waitsForSync }) => {
    if (!hasSeqNos(waitsForSync ? answered : processed, ranges)) return true;
    const localCheckpoint = answered.checkpoint;
    turn.emit({ kind: 'answer', replyTo, response: { kind: 'copied', localCheckpoint, globalCheckpoint } });
    return false;
  });
  if (waiting.length !== state.awaitingSync.length) turn.patch({ awaitingSync: waiting });
}

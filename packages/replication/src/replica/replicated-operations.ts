/**
 * Operations from the primary: executed in any order, each once, durable before they are answered.
 */
import { assert } from '@shoal/core';
import type { CopyRequest } from '../copy/copy-messages.ts';
import type { CopyTurn } from '../copy/copy-turn.ts';
import { addSeqNos, hasSeqNo, hasSeqNos, rangesOf, removeRange, type SeqNoRange } from '../sequence/seq-no-ranges.ts';
import { enterTerm, trimAbove } from './new-term.ts';

type Replicate<D> = Extract<CopyRequest<D>, { readonly kind: 'replicate' }>;

/** `wait`: jobs run that must end before the request's term is entered; the caller brings it again. */
export function replicate<D>(turn: CopyTurn<D>, replyTo: string, request: Replicate<D>): 'done' | 'wait' {
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
  turn.patch({ awaitingSync: [...turn.state.awaitingSync, { replyTo, ranges }] });
  answerWhatIsDurable(turn);
  return 'done';
}

/** The engine has executed operations: they are processed, and durable after the next sync. */
export function operationsExecuted<D>(turn: CopyTurn<D>, job: number, ranges: readonly SeqNoRange[]): void {
  const { processed, unsynced } = turn.state;
  turn.patch({ processed: addSeqNos(processed, ranges), unsynced: [...unsynced, { job, ranges }] });
  turn.emit({ kind: 'sync' });
  answerWhatIsDurable(turn);
}

export function logSynced<D>(turn: CopyTurn<D>, throughJob: number): void {
  const { unsynced, persisted } = turn.state;
  const durable = unsynced.filter(({ job }) => job <= throughJob).flatMap(({ ranges }) => ranges);
  turn.patch({
    persisted: addSeqNos(persisted, durable),
    unsynced: unsynced.filter(({ job }) => job > throughJob),
  });
  answerWhatIsDurable(turn);
}

function executeNew<D>(turn: CopyTurn<D>, request: Replicate<D>): void {
  const { state, rules } = turn;
  const running = [...state.jobs.values()].flatMap((job) => (job.kind === 'execute' ? job.ranges : []));
  const isHere = (seqNo: number): boolean =>
    hasSeqNo(state.processed, seqNo) || running.some(({ first, last }) => first <= seqNo && seqNo <= last);
  const operations = request.operations.filter(({ seqNo }) => !rules.duplicatesSkipped || !isHere(seqNo));
  if (operations.length === 0) return;
  const ranges = rangesOf(operations.map(({ seqNo }) => seqNo));
  turn.patch({ unconfirmed: ranges.reduce(removeRange, state.unconfirmed) });
  const job = turn.startJob({ kind: 'execute', ranges, purpose: 'replicated' });
  turn.emit({ kind: 'execute', job, origin: 'replica', operations });
}

/** A copy that is not in sync yet is told checkpoints it has not reached: it knows what it has. */
export function takeGlobalCheckpoint<D>(turn: CopyTurn<D>, told: number): void {
  const { globalCheckpoint, persisted } = turn.state;
  const reached = Math.min(told, persisted.checkpoint);
  if (reached <= globalCheckpoint) return;
  turn.patch({ globalCheckpoint: reached });
  turn.emit({ kind: 'keepGlobalCheckpoint', globalCheckpoint: reached });
}

function answerWhatIsDurable<D>(turn: CopyTurn<D>): void {
  const { state, rules } = turn;
  const answered = rules.replicaSyncBeforeAnswer ? state.persisted : state.processed;
  const { globalCheckpoint } = state;
  assert(globalCheckpoint <= answered.checkpoint || !rules.rollsBack, `global checkpoint ${globalCheckpoint} is ahead`);
  const waiting = state.awaitingSync.filter(({ replyTo, ranges }) => {
    if (!hasSeqNos(answered, ranges)) return true;
    const localCheckpoint = answered.checkpoint;
    turn.emit({ kind: 'answer', replyTo, response: { kind: 'copied', localCheckpoint, globalCheckpoint } });
    return false;
  });
  if (waiting.length !== state.awaitingSync.length) turn.patch({ awaitingSync: waiting });
}

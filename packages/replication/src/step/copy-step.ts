/**
 * One step of a copy: an event in, the next state and the effects out. No clock, no promises, no random numbers.
 */
import { unreachable } from '@shoal/core';
import { closeCopy, failItself } from '../copy/closing.ts';
import { type CopyContext, DEFAULT_CONTEXT } from '../copy/copy-context.ts';
import type { CopyEffect, CopyEvent } from '../copy/copy-events.ts';
import type { CopyRequest, CopyResponse } from '../copy/copy-messages.ts';
import { assertCopy, type CopyState, type OpenRequest } from '../copy/copy-state.ts';
import { CopyTurn } from '../copy/copy-turn.ts';
import { endRequest, RECOVERY_DELAY_MS, retryRequest, sendAgain } from '../primary/copy-requests.ts';
import { failCopy } from '../primary/failed-copies.ts';
import { advanceHandOff, endSlowHandOff, writeWithPermit } from '../primary/hand-off.ts';
import { managerAnswered, wasRead } from '../primary/manager-answers.ts';
import { copyAnswered, ownCheckpointMoved, toldCheckpoints } from '../primary/pending-writes.ts';
import { lead, openPermits, sendHistory } from '../primary/promotion.ts';
import { tellCheckpointAndLeases } from '../primary/told-checkpoints.ts';
import { writeExecuted } from '../primary/writing.ts';
import {
  commitAcquired,
  commitVerified,
  endCaughtUp,
  filesAreDamaged,
  recoveryAnswered,
  recoveryHistoryRead,
  startRecovery,
} from '../recovery/recovery-source.ts';
import { filesInstalled, finalizeTarget, installFiles, recoveryEnded, takeChunk } from '../recovery/recovery-target.ts';
import { renewLeases, retain } from '../recovery/retention-leases.ts';
import { logSynced, operationsExecuted, replicate } from '../replica/replicated-operations.ts';
import type { ShardOperation } from '../sequence/shard-operation.ts';
import { groupChanged } from './group-applied.ts';

export interface CopyStep<O extends ShardOperation> {
  readonly state: CopyState<O>;
  readonly effects: readonly CopyEffect<O>[];
}

export function stepCopy<O extends ShardOperation>(
  state: CopyState<O>,
  event: CopyEvent<O>,
  context: CopyContext = DEFAULT_CONTEXT,
): CopyStep<O> {
  const turn = new CopyTurn(state, context);
  take(turn, event);
  runDeferred(turn);
  if (turn.isPrimary) endCaughtUp(turn);
  if (turn.isPrimary) advanceHandOff(turn);
  assertCopy(turn.state, context.rules);
  return { state: turn.state, effects: turn.effects };
}

/** Groups and requests keep their order when one of them waits for the jobs that run. */
function mustQueue<O extends ShardOperation>({ state }: CopyTurn<O>, event: CopyEvent<O>): boolean {
  return state.deferred.length > 0 && (event.kind === 'groupChanged' || event.kind === 'request');
}

function take<O extends ShardOperation>(turn: CopyTurn<O>, event: CopyEvent<O>): void {
  if (turn.state.phase === 'closed') whenClosed(turn, event);
  else if (mustQueue(turn, event) || handle(turn, event) === 'wait') turn.defer(event);
}

function runDeferred<O extends ShardOperation>(turn: CopyTurn<O>): void {
  for (;;) {
    const { deferred, phase } = turn.state;
    const first = deferred[0];
    if (first === undefined || phase === 'closed') return;
    turn.patch({ deferred: deferred.slice(1) });
    if (handle(turn, first) === 'wait') {
      turn.patch({ deferred: [first, ...turn.state.deferred] });
      return;
    }
  }
}

/** A closed copy says so to whoever asks, and goes on telling the cluster manager that it failed. */
function whenClosed<O extends ShardOperation>(turn: CopyTurn<O>, event: CopyEvent<O>): void {
  const { knownTerm: term } = turn.state;
  if (event.kind === 'request') {
    turn.emit({ kind: 'answer', replyTo: event.replyTo, response: { kind: 'refused', reason: 'notHere', term } });
  } else if (event.kind === 'write' || event.kind === 'confirmedRead') {
    turn.reply(event.ticket, { kind: 'notPrimary' });
  } else if (event.kind === 'managerAnswered') managerAnswered(turn, event.ask, event.answer);
}

/** `wait`: the event did nothing yet, for jobs run that must end first. */
function handle<O extends ShardOperation>(turn: CopyTurn<O>, event: CopyEvent<O>): 'done' | 'wait' {
  switch (event.kind) {
    case 'groupChanged':
      return groupChanged(turn, event.group);
    case 'request':
      return requested(turn, event.replyTo, event.request);
    case 'write':
      if (turn.state.phase === 'primary') writeWithPermit(turn, event);
      else turn.reply(event.ticket, { kind: 'notPrimary' });
      return 'done';
    case 'confirmedRead':
      confirmedRead(turn, event.ticket);
      return 'done';
    case 'wasRead':
      if (turn.isPrimary) wasRead(turn, event.ticket, event.maxSeqNo);
      return 'done';
    case 'executed':
      executed(turn, event);
      return 'done';
    case 'synced':
      logSynced(turn, event.through);
      if (turn.isPrimary) ownCheckpointMoved(turn);
      return 'done';
    case 'historyRead':
      historyRead(turn, event);
      return 'done';
    case 'commitAcquired':
    case 'commitVerified':
    case 'filesInstalled':
      filesAnswered(turn, event);
      return 'done';
    case 'response':
      responded(turn, event.requestId, event.response);
      return 'done';
    case 'requestFailed':
      unanswered(turn, event.requestId);
      return 'done';
    case 'sendNow':
      sendAgain(turn, event.requestId);
      return 'done';
    case 'managerAnswered':
      managerAnswered(turn, event.ask, event.answer);
      return 'done';
    case 'tick':
      ticked(turn, event.nowMs);
      return 'done';
    case 'engineFailed':
      failItself(turn, event.reason);
      return 'done';
    default:
      return unreachable(event);
  }
}

function confirmedRead<O extends ShardOperation>(turn: CopyTurn<O>, ticket: string): void {
  const { allocationId, term } = turn.state;
  if (turn.state.phase === 'primary') turn.ask({ kind: 'confirmPrimary', allocationId, primaryTerm: term }, ticket);
  else turn.reply(ticket, { kind: 'notPrimary' });
}

function executed<O extends ShardOperation>(
  turn: CopyTurn<O>,
  event: Extract<CopyEvent<O>, { readonly kind: 'executed' }>,
): void {
  const job = turn.endJob(event.job);
  switch (job?.kind) {
    case 'execute':
      operationsExecuted(turn, job.ranges);
      return;
    case 'lead':
      if (job.ranges.length > 0) operationsExecuted(turn, job.ranges);
      openPermits(turn);
      return;
    case 'write':
      writeExecuted(turn, job, event);
      return;
    case 'confirm':
      operationsExecuted(turn, turn.state.unconfirmed);
      turn.patch({ unconfirmed: [] });
      lead(turn);
      return;
    default:
      // A rollback has nothing more to do than to let the deferred events go on; other jobs were dropped.
      return;
  }
}

function historyRead<O extends ShardOperation>(
  turn: CopyTurn<O>,
  event: Extract<CopyEvent<O>, { readonly kind: 'historyRead' }>,
): void {
  const job = event.isLast ? turn.endJob(event.job) : turn.state.jobs.get(event.job);
  if (job?.kind === 'resync' && turn.isPrimary) sendHistory(turn, { number: event.job, last: job.last }, event);
  if (job?.kind === 'recoveryRead') recoveryHistoryRead(turn, job.target, event);
}

function responded<O extends ShardOperation>(turn: CopyTurn<O>, requestId: number, response: CopyResponse): void {
  const asked = turn.state.requests.get(requestId)?.request;
  if (asked?.kind === 'startRecovery' && response.kind !== 'taken') {
    // The primary is not ready for it, or is somewhere else by now: then a new group comes and ends this copy.
    turn.emit({ kind: 'sendLater', requestId, delayMs: RECOVERY_DELAY_MS });
    return;
  }
  if (response.kind === 'refused' && response.reason === 'notHere' && lacksNothing(turn, requestId)) {
    unanswered(turn, requestId);
    return;
  }
  const open = endRequest(turn, requestId);
  if (open === null || !turn.isPrimary) return;
  if (response.kind === 'refused') {
    if (response.reason === 'termTooOld' && response.term > turn.state.term && turn.rules.stepsDown) {
      closeCopy(turn, `a copy knows term ${response.term}`);
    } else failCopy(turn, open.to, response.reason === 'notHere' ? 'gone' : 'failed');
    return;
  }
  if (response.kind === 'installed' && !response.isSound) {
    filesAreDamaged(turn, open.to);
    return;
  }
  if (open.ticket !== null) copyAnswered(turn, open.ticket, open.to);
  if (response.kind === 'copied') toldCheckpoints(turn, open.to, response);
  if (isOfRecovery(turn, requestId, open)) recoveryAnswered(turn, open.to, open.request);
}

/** Sends a request again that got no answer, until its copy has failed. */
function unanswered<O extends ShardOperation>(turn: CopyTurn<O>, requestId: number): void {
  const failed = retryRequest(turn, requestId);
  if (failed !== null && turn.isPrimary) failCopy(turn, failed);
}

/**
 * True for a copy in sync that is asked on behalf of no write: a resync, a checkpoint, the end of its recovery. Its node closes it, or is about to
 * open it; a stale mark would take a copy out of the in-sync set that has every acknowledged write.
 */
function lacksNothing<O extends ShardOperation>({ state }: CopyTurn<O>, requestId: number): boolean {
  const open = state.requests.get(requestId);
  if (open === undefined || open.ticket !== null) return false;
  return state.primary?.tracker.copies.get(open.to)?.isInSync === true;
}

/** Writes reach a target beside its recovery; only what the recovery sent itself moves it on. */
function isOfRecovery<O extends ShardOperation>(
  { state }: CopyTurn<O>,
  requestId: number,
  { to, request }: OpenRequest<O>,
): boolean {
  if (request.kind !== 'replicate') return true;
  const step = state.primary?.recoveries.get(to)?.step;
  return step?.kind === 'operations' && step.request === requestId;
}

function requested<O extends ShardOperation>(
  turn: CopyTurn<O>,
  replyTo: string,
  request: CopyRequest<O>,
): 'done' | 'wait' {
  switch (request.kind) {
    case 'replicate':
      return replicate(turn, replyTo, request);
    case 'startRecovery':
      startRecovery(turn, replyTo, request);
      return 'done';
    case 'recoveryChunk':
      takeChunk(turn, replyTo, request);
      return 'done';
    case 'installFiles':
      installFiles(turn, replyTo, request);
      return 'done';
    case 'finalizeRecovery':
      finalizeTarget(turn, replyTo, request);
      return 'done';
    case 'endRecovery':
      recoveryEnded(turn, replyTo, request);
      return 'done';
    default:
      return unreachable(request);
  }
}

function filesAnswered<O extends ShardOperation>(
  turn: CopyTurn<O>,
  event: Extract<CopyEvent<O>, { readonly kind: 'commitAcquired' | 'commitVerified' | 'filesInstalled' }>,
): void {
  const job = turn.endJob(event.job);
  if (event.kind === 'commitAcquired' && job?.kind === 'acquire') commitAcquired(turn, job, event.commit);
  if (event.kind === 'commitVerified' && job?.kind === 'verify') commitVerified(turn, job.target, event.isSound);
  if (event.kind === 'filesInstalled' && job?.kind === 'install') filesInstalled(turn, job, event.isSound);
}

function ticked<O extends ShardOperation>(turn: CopyTurn<O>, nowMs: number): void {
  turn.patch({ nowMs });
  if (turn.state.phase === 'primary') {
    renewLeases(turn);
    tellCheckpointAndLeases(turn);
    endSlowHandOff(turn);
  }
  if (turn.state.phase === 'primary' || turn.state.phase === 'replica') retain(turn);
}

/**
 * One step of a copy: an event in, the next state and the effects out. No clock, no promises, no random numbers.
 */
import { unreachable } from '@shoal/core';
import { closeCopy, failItself } from '../copy/closing.ts';
import { type CopyContext, DEFAULT_CONTEXT } from '../copy/copy-context.ts';
import type { CopyEffect, CopyEvent } from '../copy/copy-events.ts';
import type { CopyResponse } from '../copy/copy-messages.ts';
import { assertCopy, type CopyState } from '../copy/copy-state.ts';
import { CopyTurn } from '../copy/copy-turn.ts';
import { endRequest, retryRequest, sendAgain, sendToCopy } from '../primary/copy-requests.ts';
import { failCopy, managerAnswered } from '../primary/failed-copies.ts';
import { copyAnswered, ownCheckpointMoved, toldCheckpoints } from '../primary/pending-writes.ts';
import { fillGaps, openPermits, sendHistory } from '../primary/promotion.ts';
import { write, writeExecuted } from '../primary/writing.ts';
import { logSynced, operationsExecuted, replicate } from '../replica/replicated-operations.ts';
import { replicationTargets } from '../tracker/replication-tracker.ts';
import { groupChanged } from './group-applied.ts';

export interface CopyStep<D> {
  readonly state: CopyState<D>;
  readonly effects: readonly CopyEffect<D>[];
}

export function stepCopy<D>(
  state: CopyState<D>,
  event: CopyEvent<D>,
  context: CopyContext = DEFAULT_CONTEXT,
): CopyStep<D> {
  const turn = new CopyTurn(state, context);
  take(turn, event);
  runDeferred(turn);
  assertCopy(turn.state, context.rules);
  return { state: turn.state, effects: turn.effects };
}

/** Groups and requests keep their order when one of them waits for the jobs that run. */
function mustQueue<D>({ state }: CopyTurn<D>, event: CopyEvent<D>): boolean {
  return state.deferred.length > 0 && (event.kind === 'groupChanged' || event.kind === 'request');
}

function take<D>(turn: CopyTurn<D>, event: CopyEvent<D>): void {
  if (turn.state.phase === 'closed') whenClosed(turn, event);
  else if (mustQueue(turn, event) || handle(turn, event) === 'wait') turn.defer(event);
}

function runDeferred<D>(turn: CopyTurn<D>): void {
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
function whenClosed<D>(turn: CopyTurn<D>, event: CopyEvent<D>): void {
  const { knownTerm: term } = turn.state;
  if (event.kind === 'request') {
    turn.emit({ kind: 'answer', replyTo: event.replyTo, response: { kind: 'refused', reason: 'notHere', term } });
  } else if (event.kind === 'write' || event.kind === 'confirmedRead') {
    turn.reply(event.ticket, { kind: 'notPrimary' });
  } else if (event.kind === 'managerAnswered') managerAnswered(turn, event.ask, event.answer);
}

/** `wait`: the event did nothing yet, for jobs run that must end first. */
function handle<D>(turn: CopyTurn<D>, event: CopyEvent<D>): 'done' | 'wait' {
  switch (event.kind) {
    case 'groupChanged':
      return groupChanged(turn, event.group);
    case 'request':
      return replicate(turn, event.replyTo, event.request);
    case 'write':
      if (turn.state.phase === 'primary') write(turn, event);
      else turn.reply(event.ticket, { kind: 'notPrimary' });
      return 'done';
    case 'confirmedRead':
      confirmedRead(turn, event.ticket);
      return 'done';
    case 'executed':
      executed(turn, event);
      return 'done';
    case 'synced':
      logSynced(turn, event.throughJob);
      if (turn.isPrimary) ownCheckpointMoved(turn);
      return 'done';
    case 'historyRead': {
      const job = turn.endJob(event.job);
      if (job?.kind === 'resync' && turn.isPrimary) sendHistory(turn, event.operations, job.last);
      return 'done';
    }
    case 'response':
      responded(turn, event.requestId, event.response);
      return 'done';
    case 'requestFailed': {
      const failed = retryRequest(turn, event.requestId);
      if (failed !== null) failCopy(turn, failed);
      return 'done';
    }
    case 'sendNow':
      sendAgain(turn, event.requestId);
      return 'done';
    case 'managerAnswered':
      managerAnswered(turn, event.ask, event.answer);
      return 'done';
    case 'tick':
      if (turn.isPrimary) tellGlobalCheckpoint(turn);
      return 'done';
    case 'engineFailed':
      failItself(turn, event.reason);
      return 'done';
    default:
      return unreachable(event);
  }
}

function confirmedRead<D>(turn: CopyTurn<D>, ticket: string): void {
  const { allocationId, term } = turn.state;
  if (turn.state.phase === 'primary') turn.ask({ kind: 'confirmPrimary', allocationId, primaryTerm: term }, ticket);
  else turn.reply(ticket, { kind: 'notPrimary' });
}

function executed<D>(turn: CopyTurn<D>, event: Extract<CopyEvent<D>, { readonly kind: 'executed' }>): void {
  const job = turn.endJob(event.job);
  switch (job?.kind) {
    case 'execute':
      operationsExecuted(turn, event.job, job.ranges);
      if (job.purpose === 'gaps') openPermits(turn);
      return;
    case 'write':
      writeExecuted(turn, event.job, job, event);
      return;
    case 'confirm':
      operationsExecuted(turn, event.job, turn.state.unconfirmed);
      turn.patch({ unconfirmed: [] });
      fillGaps(turn);
      return;
    default:
      // A rollback has nothing more to do than to let the deferred events go on; other jobs were dropped.
      return;
  }
}

function responded<D>(turn: CopyTurn<D>, requestId: number, response: CopyResponse): void {
  const open = endRequest(turn, requestId);
  if (open === null || !turn.isPrimary) return;
  if (response.kind === 'copied') {
    if (open.ticket !== null) copyAnswered(turn, open.ticket, open.to);
    toldCheckpoints(turn, open.to, response);
  } else if (response.reason === 'termTooOld' && response.term > turn.state.term && turn.rules.stepsDown) {
    closeCopy(turn, `a copy knows term ${response.term}`);
  } else failCopy(turn, open.to);
}

/** Copies that do not know the global checkpoint are told when nothing else tells them. */
function tellGlobalCheckpoint<D>(turn: CopyTurn<D>): void {
  const { term, globalCheckpoint, requests } = turn.state;
  const { tracker } = turn.primary;
  const asked = new Set([...requests.values()].map(({ to }) => to));
  for (const to of replicationTargets(tracker)) {
    const known = tracker.copies.get(to)?.globalCheckpoint ?? globalCheckpoint;
    if (known >= globalCheckpoint || asked.has(to)) continue;
    sendToCopy(turn, to, { kind: 'replicate', term, globalCheckpoint, operations: [], trimAbove: null }, null);
  }
}

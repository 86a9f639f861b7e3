/**
 * What leaves the coordination core: effects in order, requests that wait for their answer, timers that wait for their time.
 *
 * Answers and timers reach the part that wants them through handlers kept here by id, so that each part reads as one
 * story. A handler runs at most once; a question of another node, and a proposal, is answered exactly once.
 */

import type { DiscoveryNode } from '@shoal/cluster-state';
import { assert } from '@shoal/core';
import type { NodeId } from '../steps/accepted-state.ts';
import type { CoordRequest, CoordResponse } from '../steps/coord-message.ts';
import type {
  Channel,
  CoordinationEffect,
  FailureCause,
  LogLevel,
  ProposalResult,
  TimerId,
} from './coordination-events.ts';

export interface RequestFailure {
  readonly cause: FailureCause;
  readonly reason: string;
}

export interface AnswerHandlers {
  answered(response: CoordResponse): void;
  failed(failure: RequestFailure): void;
}

export interface RequestOptions {
  readonly channel: Channel;
  readonly timeoutMs: number;
}

type LogFields = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export class Outbox<V> {
  private readonly localId: NodeId;
  private effects: CoordinationEffect<V>[] = [];
  private readonly waiting = new Map<number, AnswerHandlers>();
  private readonly timers = new Map<TimerId, () => void>();
  /** Questions of other nodes (`replyTo`) that have no answer yet. */
  private readonly openQuestions = new Set<number>();
  /** Tickets of proposals that have no result yet. */
  private readonly openProposals = new Set<number>();
  private nextRequestId = 1;

  constructor(localId: NodeId) {
    this.localId = localId;
  }

  /** The effects since the last call, in order. */
  take(): readonly CoordinationEffect<V>[] {
    const taken = this.effects;
    this.effects = [];
    return taken;
  }

  emit(effect: CoordinationEffect<V>): void {
    this.effects.push(effect);
  }

  log(level: LogLevel, message: string, fields: LogFields = {}): void {
    this.emit({ kind: 'log', level, message, fields });
  }

  send(to: DiscoveryNode, request: CoordRequest<V>, options: RequestOptions, handlers: AnswerHandlers): void {
    assert(to.id !== this.localId, `${request.kind} to the local node [${to.id}] leaves the core`);
    assert(options.timeoutMs > 0, `${request.kind} to [${to.id}] with a timeout of ${options.timeoutMs} ms`);
    const requestId = this.nextRequestId++;
    this.waiting.set(requestId, handlers);
    this.emit({ kind: 'send', to, requestId, request, ...options });
  }

  answered(requestId: number, response: CoordResponse): void {
    this.takeWaiting(requestId).answered(response);
  }

  failed(requestId: number, failure: RequestFailure): void {
    this.takeWaiting(requestId).failed(failure);
  }

  /** Another node asks something; it is answered once, maybe many events later. */
  asked(replyTo: number): void {
    assert(!this.openQuestions.has(replyTo), `question ${replyTo} was asked twice`);
    this.openQuestions.add(replyTo);
  }

  /** `replyTo` null: the request came from this node itself. */
  acknowledge(replyTo: number | null): void {
    this.reply(replyTo, { kind: 'ack' });
  }

  reply(replyTo: number | null, response: CoordResponse): void {
    if (replyTo === null) return;
    this.closeQuestion(replyTo, response.kind);
    this.emit({ kind: 'reply', replyTo, response });
  }

  refuse(replyTo: number | null, reason: string): void {
    if (replyTo === null) return;
    this.closeQuestion(replyTo, reason);
    this.emit({ kind: 'refuse', replyTo, reason });
  }

  /** A change is proposed here; `complete` says once what became of it. */
  proposed(ticket: number): void {
    assert(!this.openProposals.has(ticket), `proposal ${ticket} was made twice`);
    this.openProposals.add(ticket);
  }

  complete(ticket: number, result: ProposalResult): void {
    assert(this.openProposals.delete(ticket), `proposal ${ticket} ends as ${result.kind} and was over before`);
    this.emit({ kind: 'complete', ticket, result });
  }

  schedule(id: TimerId, afterMs: number, handler: () => void): void {
    assert(afterMs >= 0, `timer ${id} in ${afterMs} ms`);
    this.timers.set(id, handler);
    this.emit({ kind: 'schedule', id, afterMs });
  }

  scheduleRandom(id: TimerId, delay: { readonly maxMs: number; readonly plusMs: number }, handler: () => void): void {
    assert(delay.maxMs > 0 && delay.plusMs >= 0, `timer ${id} within ${delay.maxMs} ms after ${delay.plusMs} ms`);
    this.timers.set(id, handler);
    this.emit({ kind: 'randomDelay', id, ...delay });
  }

  cancel(id: TimerId): void {
    if (this.timers.delete(id)) this.emit({ kind: 'cancelTimer', id });
  }

  /** A timer that was cancelled while its event was on its way does nothing. */
  timerFired(id: TimerId): void {
    const handler = this.timers.get(id);
    this.timers.delete(id);
    handler?.();
  }

  /** Drops everything that waits: no answer and no timer has an effect any more. */
  close(): void {
    for (const id of this.timers.keys()) this.emit({ kind: 'cancelTimer', id });
    this.timers.clear();
    this.waiting.clear();
    this.openQuestions.clear();
  }

  private takeWaiting(requestId: number): AnswerHandlers {
    const handlers = this.waiting.get(requestId);
    assert(handlers !== undefined, `answer to request ${requestId}, which is not waited for`);
    this.waiting.delete(requestId);
    return handlers;
  }

  private closeQuestion(replyTo: number, answer: string): void {
    assert(this.openQuestions.delete(replyTo), `question ${replyTo} is answered (${answer}) and was answered before`);
  }
}

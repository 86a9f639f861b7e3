/**
 * What leaves the coordinator: effects in order, requests that wait for their answer, timers that wait for their time.
 *
 * Answers and timers find their way back through handlers kept here by id, so that the parts of the coordinator read as
 * one story each. A handler runs at most once.
 */
import { assert } from '@shoal/core';
import type { DiscoveryNode } from '@shoal/protocol';
import type { CoordRequest, CoordResponse } from '../steps/coord-message.ts';
import type { Channel, CoordinatorEffect, FailureCause, LogLevel, TimerId } from './coordination-events.ts';

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
  private effects: CoordinatorEffect<V>[] = [];
  private readonly waiting = new Map<number, AnswerHandlers>();
  private readonly timers = new Map<TimerId, () => void>();
  private nextRequestId = 1;

  /** The effects since the last call, in order. */
  take(): readonly CoordinatorEffect<V>[] {
    const taken = this.effects;
    this.effects = [];
    return taken;
  }

  emit(effect: CoordinatorEffect<V>): void {
    this.effects.push(effect);
  }

  log(level: LogLevel, message: string, fields: LogFields = {}): void {
    this.emit({ kind: 'log', level, message, fields });
  }

  send(to: DiscoveryNode, request: CoordRequest<V>, options: RequestOptions, handlers: AnswerHandlers): void {
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

  /** `replyTo` null: the request came from this node itself. */
  acknowledge(replyTo: number | null): void {
    this.reply(replyTo, { kind: 'ack' });
  }

  reply(replyTo: number | null, response: CoordResponse): void {
    if (replyTo !== null) this.emit({ kind: 'reply', replyTo, response });
  }

  refuse(replyTo: number | null, reason: string): void {
    if (replyTo !== null) this.emit({ kind: 'refuse', replyTo, reason });
  }

  schedule(id: TimerId, afterMs: number, handler: () => void): void {
    this.timers.set(id, handler);
    this.emit({ kind: 'schedule', id, afterMs });
  }

  scheduleRandom(id: TimerId, delay: { readonly maxMs: number; readonly plusMs: number }, handler: () => void): void {
    this.timers.set(id, handler);
    this.emit({ kind: 'randomDelay', id, ...delay });
  }

  cancel(id: TimerId): void {
    if (this.timers.delete(id)) this.emit({ kind: 'cancelTimer', id });
  }

  /** A timer that was cancelled while its event was under way does nothing. */
  timerFired(id: TimerId): void {
    const handler = this.timers.get(id);
    this.timers.delete(id);
    handler?.();
  }

  /** Nothing that was waited for will be heard any more. */
  close(): void {
    for (const id of this.timers.keys()) this.emit({ kind: 'cancelTimer', id });
    this.timers.clear();
    this.waiting.clear();
  }

  private takeWaiting(requestId: number): AnswerHandlers {
    const handlers = this.waiting.get(requestId);
    assert(handlers !== undefined, `answer to request ${requestId}, which is not waited for`);
    this.waiting.delete(requestId);
    return handlers;
  }
}

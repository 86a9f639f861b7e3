/**
 * The queue in memory: a hand-over with little room, so that a slow output slows the inputs within milliseconds.
 *
 * Events are serialised when a batch is taken, many in one piece, not when they come in.
 */
import { ShoalError } from '@shoal/core';
import { writeEvents } from '../event/event-bytes.ts';
import type { LogEvent } from '../event/log-event.ts';
import type { EventQueue, QueuedBatch, QueueSizes } from './event-queue.ts';

interface WaitingPush {
  readonly events: readonly LogEvent[];
  /** How many of them are in the queue already. */
  taken: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class MemoryQueue implements EventQueue {
  readonly carriedOverCount = 0;
  readonly #capacity: number;
  #events: LogEvent[] = [];
  /** Events before it were taken: cutting the array at each batch would copy it. */
  #start = 0;
  #waiting: WaitingPush[] = [];
  #nextId = 0;
  #acceptedCount = 0;
  #isClosed = false;
  #readable: () => void = () => {};

  /** @param capacity events that it holds; more wait at the inputs */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  push(events: readonly LogEvent[]): Promise<void> {
    if (this.#isClosed) return Promise.reject(closedError());
    if (events.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ events, taken: 0, resolve, reject });
      this.#admit();
    });
  }

  async take(countMax: number): Promise<QueuedBatch | null> {
    const count = Math.min(countMax, this.#unread());
    if (count === 0) return null;
    const events = this.#events.slice(this.#start, this.#start + count);
    this.#start += count;
    if (this.#start === this.#events.length) {
      this.#events = [];
      this.#start = 0;
    }
    this.#admit();
    return { id: this.#nextId++, count, chunks: [{ bytes: writeEvents(events), count }] };
  }

  acknowledge(): void {
    // Nothing is kept of a batch: the memory of a process does not outlive it.
  }

  onReadable(handler: () => void): void {
    this.#readable = handler;
  }

  sizes(): QueueSizes {
    const acceptedCount = this.#acceptedCount;
    return { type: 'memory', unreadCount: this.#unread(), acceptedCount, bytes: 0, bytesMax: 0 };
  }

  refusePushes(): void {
    this.#isClosed = true;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const push of waiting) push.reject(closedError());
  }

  async close(): Promise<void> {
    this.refusePushes();
  }

  #unread(): number {
    return this.#events.length - this.#start;
  }

  /** First come, first served: a push that was cut in the middle stays at the front. */
  #admit(): void {
    let hasNew = false;
    while (this.#waiting.length > 0 && this.#unread() < this.#capacity) {
      const push = this.#waiting[0];
      if (push === undefined) break;
      const room = this.#capacity - this.#unread();
      const part = push.events.slice(push.taken, push.taken + room);
      for (const event of part) this.#events.push(event);
      push.taken += part.length;
      this.#acceptedCount += part.length;
      hasNew = true;
      if (push.taken < push.events.length) break;
      this.#waiting.shift();
      push.resolve();
    }
    if (hasNew) this.#readable();
  }
}

export function closedError(): ShoalError {
  return new ShoalError('illegal_state_exception', 503, 'the pipeline stops and takes no more events');
}

/**
 * Long work of a thread in short slices: between two of them the thread answers heartbeats and other requests, and looks
 * whether anybody still waits for the work.
 *
 * Works that go on at the same time take turns: one slice of one of them in each turn of the event loop.
 */
import { type CancelFlag, ShoalError, type Steps } from '@shoal/core';
import type { Clock } from '../interfaces/clock.ts';
import type { Scheduler } from '../interfaces/scheduler.ts';
import { ThreadTurns } from './thread-turns.ts';

/** Longest slice in ms, but for the one step that passes it. */
const SLICE_MS = 5;

export class TimeSlices {
  readonly #turns: ThreadTurns;
  readonly #clock: Clock;

  constructor(sched: Scheduler, clock: Clock) {
    this.#turns = new ThreadTurns(sched);
    this.#clock = clock;
  }

  /** Result of the steps. Short work is done at once. Throws when `signal` is set between two slices. */
  async run<T>(steps: Steps<T>, signal: CancelFlag | null): Promise<T> {
    let endMs = this.#clock.monotonicMs() + SLICE_MS;
    let slices = 0;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value;
      if (this.#clock.monotonicMs() < endMs) continue;
      await this.#turns.next(slices++);
      if (signal?.cancelled === true) throw workCancelled(signal.reason);
      endMs = this.#clock.monotonicMs() + SLICE_MS;
    }
  }

  /** Resolves when it is the caller's turn, first come first served. */
  next(): Promise<void> {
    return this.#turns.next();
  }
}

/** 400: nobody waits for the answer any more. */
export function workCancelled(reason: string | null): ShoalError {
  return new ShoalError('task_cancelled_exception', 400, `The parent task was cancelled, reason: ${reason ?? ''}`);
}

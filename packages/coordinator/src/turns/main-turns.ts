/**
 * Long work of the main thread in short slices: between two of them the thread answers heartbeats and other requests, and
 * looks whether anybody still waits for the work.
 *
 * Works that go on at the same time take turns: one slice of one of them in each turn of the event loop.
 */
import { ShoalError, type Steps } from '@shoal/core';
import type { Clock, Scheduler } from '@shoal/runtime';
import type { CancelFlag } from '@shoal/transport';

/** Longest slice in ms, but for the one step that passes it. */
const SLICE_MS = 5;

export class MainTurns {
  readonly #sched: Scheduler;
  readonly #clock: Clock;
  /** One of each work that is under way and not running. */
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  constructor(sched: Scheduler, clock: Clock) {
    this.#sched = sched;
    this.#clock = clock;
  }

  /** What the steps return. Short work is done at once. Throws when `signal` is set in between. */
  async run<T>(steps: Steps<T>, signal: CancelFlag | null): Promise<T> {
    let endMs = this.#clock.monotonicMs() + SLICE_MS;
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return step.value;
      if (this.#clock.monotonicMs() < endMs) continue;
      await this.next();
      if (signal?.cancelled === true) throw cancelled(signal.reason);
      endMs = this.#clock.monotonicMs() + SLICE_MS;
    }
  }

  /** Resolves when it is the caller's turn, first come first served. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#sched.soon(() => {
      this.#isScheduled = false;
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}

/** 400: nobody waits for the answer any more. */
export function cancelled(reason: string | null): ShoalError {
  return new ShoalError('task_cancelled_exception', 400, `The parent task was cancelled, reason: ${reason ?? ''}`);
}

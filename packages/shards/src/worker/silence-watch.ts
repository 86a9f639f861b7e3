/**
 * Finds worker threads that are stuck in one piece of work: each is pinged at every tick, and one that says nothing for too
 * many ticks in a row is given up. Without this its shards would look healthy and answer nothing.
 *
 * Silence is counted in ticks of this thread's timer, never in time of a clock: a machine that slept, or a process that was
 * stopped as a whole, makes one late tick, after which the workers are heard before the next.
 */
import { assert } from '@shoal/core';
import type { Cancel, Scheduler } from '@shoal/runtime';

const TICK_MS_MAX = 5_000;
/** Ticks within a limit, at least: one late tick alone must never look like silence. */
const TICKS_MIN = 4;

/** Thread that can be asked for a sign of life. */
export interface WatchedThread {
  /** Pings the thread. @returns ticks since it was last heard, this one included */
  tick(): number;
}

export interface SilenceWatchOptions<Thread extends WatchedThread> {
  /** Silence after which a thread is given up, in milliseconds; -1: it is waited for without end. */
  readonly limitMs: number;
  readonly threads: () => readonly Thread[];
  readonly onSilent: (thread: Thread) => void;
}

export class SilenceWatch<Thread extends WatchedThread> {
  readonly #sched: Scheduler;
  readonly #options: SilenceWatchOptions<Thread>;
  readonly #tickMs: number;
  readonly #ticksMax: number;
  #stopTimer: Cancel = () => {};

  constructor(sched: Scheduler, options: SilenceWatchOptions<Thread>) {
    const { limitMs } = options;
    assert(limitMs === -1 || limitMs >= TICKS_MIN, `limit of silence [${limitMs}]ms is shorter than its ticks`);
    this.#sched = sched;
    this.#options = options;
    this.#tickMs = Math.min(TICK_MS_MAX, Math.floor(limitMs / TICKS_MIN));
    this.#ticksMax = Math.ceil(limitMs / this.#tickMs);
    if (limitMs !== -1) this.#wait();
  }

  close(): void {
    this.#stopTimer();
  }

  #wait(): void {
    this.#stopTimer = this.#sched.after(this.#tickMs, () => this.#tick());
  }

  #tick(): void {
    this.#wait();
    for (const thread of this.#options.threads()) {
      // The first of the ticks sends the ping: only those after it were silent.
      if (thread.tick() > this.#ticksMax) this.#options.onSilent(thread);
    }
  }
}

/**
 * Time of an embedded node, which passes by itself and can be moved on: the clock and the timers of the machine, both shifted by
 * what was skipped.
 *
 * Timers never keep the process alive: a node that nobody closes must not. What somebody waits for does, through `hold`.
 */
import { assert } from '@shoal/core';
import type { Clock } from '../interfaces/clock.ts';
import type { Cancel, Scheduler } from '../interfaces/scheduler.ts';
import { createNodeClock } from '../platform/node-clock.ts';
import { createNodeScheduler } from '../platform/node-scheduler.ts';

/** Longest wait that the platform's timers know; a longer one is made of several. */
const TIMER_MS_MAX = 2 ** 31 - 1;
/** Turns of the event loop without work queued by `soon` after which what a timer began is taken to be done. */
const QUIET_TURNS = 3;
/** Timers that run at their exact times in one advance. Those of housekeeping begin again each second, and years have many. */
const EXACT_MAX = 500;
/** Times at which timers that were set later run in the rest of an advance. */
const COARSE_STOPS = 100;
/** Turns waited for what one timer began; work that goes on longer goes on beside the next timer. */
const TURNS_MAX = 10_000;

interface Timer {
  /** Monotonic time of this clock. */
  readonly dueMs: number;
  readonly fn: () => void;
  native: ReturnType<typeof setTimeout> | null;
}

export class ControlledTime {
  readonly clock: Clock;
  readonly sched: Scheduler;
  readonly #machineClock = createNodeClock();
  readonly #machineSched = createNodeScheduler();
  readonly #timers = new Set<Timer>();
  /** Milliseconds skipped so far, which both clocks are ahead by. */
  #skippedMs = 0;
  /** Milliseconds that the wall clock alone was moved by. */
  #wallShiftMs = 0;
  /** End of the advance that runs, and the shortest wait of timers set in it by now; null: every wait is exact. */
  #coarse: { readonly untilMs: number; readonly waitMs: number } | null = null;
  #queued = 0;
  #holds = 0;
  #keepAlive: ReturnType<typeof setInterval> | null = null;
  #advancing: Promise<void> = Promise.resolve();

  constructor() {
    this.clock = {
      monotonicMs: () => this.#nowMs(),
      wallMs: () => Math.floor(this.#machineClock.wallMs() + this.#skippedMs + this.#wallShiftMs),
    };
    this.sched = {
      after: (ms, fn) => this.#after(ms, fn),
      soon: (fn) => {
        this.#queued++;
        this.#machineSched.soon(() => {
          this.#queued--;
          fn();
        });
      },
    };
  }

  /**
   * Moves both clocks on. Timers that are due on the way run in the order of their times, each at its time and before what the one
   * before it began is left alone. After many of them, timers that are set meanwhile run late, as on a busy machine, but before the
   * end when they are due by then. Calls wait for each other.
   */
  advance(ms: number): Promise<void> {
    assert(ms >= 0 && Number.isFinite(ms), `time goes on by ${ms} ms`);
    this.#advancing = this.#advancing.then(() => this.#advance(ms));
    return this.#advancing;
  }

  /** Sets the wall clock: forward with all that falls due on the way; backward it moves alone, as when somebody sets a machine's clock. */
  async setWall(wallMs: number): Promise<void> {
    const byMs = wallMs - this.clock.wallMs();
    if (byMs >= 0) await this.advance(byMs);
    else this.#wallShiftMs += byMs;
  }

  /** Keeps the process alive until the returned function is called. */
  hold(): () => void {
    this.#holds++;
    this.#keepAlive ??= setInterval(() => undefined, TIMER_MS_MAX);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds--;
      if (this.#holds > 0 || this.#keepAlive === null) return;
      clearInterval(this.#keepAlive);
      this.#keepAlive = null;
    };
  }

  #nowMs(): number {
    return this.#machineClock.monotonicMs() + this.#skippedMs;
  }

  #after(ms: number, fn: () => void): Cancel {
    const timer: Timer = { dueMs: this.#dueAfter(Math.max(ms, 0)), fn, native: null };
    this.#timers.add(timer);
    this.#arm(timer);
    return () => this.#drop(timer);
  }

  #dueAfter(ms: number): number {
    const nowMs = this.#nowMs();
    const dueMs = nowMs + ms;
    if (this.#coarse === null) return dueMs;
    const { untilMs, waitMs } = this.#coarse;
    return Math.min(Math.max(dueMs, nowMs + waitMs), Math.max(dueMs, untilMs));
  }

  #arm(timer: Timer): void {
    const waitMs = Math.min(Math.max(timer.dueMs - this.#nowMs(), 0), TIMER_MS_MAX);
    if (timer.native !== null) clearTimeout(timer.native);
    timer.native = setTimeout(() => {
      if (timer.dueMs - this.#nowMs() > 1) this.#arm(timer);
      else this.#fire(timer);
    }, waitMs);
    timer.native.unref();
  }

  #drop(timer: Timer): void {
    if (timer.native !== null) clearTimeout(timer.native);
    this.#timers.delete(timer);
  }

  #fire(timer: Timer): void {
    this.#drop(timer);
    timer.fn();
  }

  async #advance(ms: number): Promise<void> {
    const release = this.hold();
    try {
      await this.#settle();
      const untilMs = this.#nowMs() + ms;
      let ran = 0;
      for (let next = this.#nextDue(untilMs); next !== null; next = this.#nextDue(untilMs)) {
        this.#skipTo(next.dueMs);
        if (++ran === EXACT_MAX) this.#coarse = { untilMs, waitMs: (untilMs - next.dueMs) / COARSE_STOPS };
        this.#fire(next);
        await this.#settle();
      }
      this.#skipTo(untilMs);
      for (const timer of this.#timers) this.#arm(timer);
    } finally {
      this.#coarse = null;
      release();
    }
  }

  #skipTo(dueMs: number): void {
    this.#skippedMs += Math.max(0, dueMs - this.#nowMs());
  }

  #nextDue(untilMs: number): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers) {
      if (timer.dueMs <= untilMs && (first === null || timer.dueMs < first.dueMs)) first = timer;
    }
    return first;
  }

  /** Waits until what was begun has run out of work for a few turns. */
  async #settle(): Promise<void> {
    let quiet = 0;
    for (let turn = 0; turn < TURNS_MAX && quiet < QUIET_TURNS; turn++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      quiet = this.#queued === 0 ? quiet + 1 : 0;
    }
  }
}

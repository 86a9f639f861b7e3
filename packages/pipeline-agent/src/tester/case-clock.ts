/**
 * The clock of a test: the machine's, or one that stands still where a case says what time it is. Waits of filters end at
 * once then and move it on, so that nothing depends on how fast the tests run.
 */
import type { Cancel, Clock, Runtime } from '@shoal/runtime';

export class CaseClock implements Clock {
  readonly #real: Clock;
  /** null: the machine's clock. */
  #nowMs: number | null = null;
  /** Sum of the waits since the clock was set. */
  #waitedMs = 0;

  constructor(real: Clock) {
    this.#real = real;
  }

  set(nowMs: number | null): void {
    this.#nowMs = nowMs;
    this.#waitedMs = 0;
  }

  wallMs(): number {
    return this.#nowMs === null ? this.#real.wallMs() : Math.floor(this.#nowMs + this.#waitedMs);
  }

  monotonicMs(): number {
    return this.#nowMs === null ? this.#real.monotonicMs() : this.#waitedMs;
  }

  /** A runtime with this clock. Each is an object of its own: what filters keep by it is kept apart. */
  runtimeOf(runtime: Runtime): Runtime {
    return {
      ...runtime,
      clock: { wallMs: () => this.wallMs(), monotonicMs: () => this.monotonicMs() },
      sched: { after: (ms, fn) => this.#after(runtime, ms, fn), soon: (fn) => runtime.sched.soon(fn) },
    };
  }

  #after(runtime: Runtime, ms: number, fn: () => void): Cancel {
    if (this.#nowMs === null) return runtime.sched.after(ms, fn);
    let isCancelled = false;
    runtime.sched.soon(() => {
      if (isCancelled) return;
      this.#waitedMs += Math.max(0, ms);
      fn();
    });
    return () => {
      isCancelled = true;
    };
  }
}

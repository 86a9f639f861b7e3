/**
 * Pauses of long work, one at a time: each ends when its time is up, or at once when the work is cancelled.
 *
 * The flag is listened to once for all of them: it remembers its listeners as long as the work lasts.
 */
import { assert, type CancelFlag } from '@shoal/core';
import type { Runtime } from '@shoal/runtime';

interface Pause {
  endMs: number;
  readonly end: () => void;
  stopTimer: () => void;
}

export class Pauses {
  readonly #timers: Pick<Runtime, 'clock' | 'sched'>;
  readonly #flag: CancelFlag;
  #pause: Pause | null = null;

  constructor(timers: Pick<Runtime, 'clock' | 'sched'>, flag: CancelFlag) {
    this.#timers = timers;
    this.#flag = flag;
    flag.onCancel(() => {
      this.#pause?.stopTimer();
      this.#pause?.end();
    });
  }

  /** Milliseconds that the present pause still lasts; 0 without one. */
  get leftMs(): number {
    return this.#pause === null ? 0 : Math.max(0, this.#pause.endMs - this.#timers.clock.monotonicMs());
  }

  async pause(ms: number): Promise<void> {
    assert(this.#pause === null, 'a pause begins within another one');
    if (ms <= 0 || this.#flag.cancelled) return;
    await new Promise<void>((resolve) => {
      this.#pause = { endMs: this.#timers.clock.monotonicMs() + ms, end: resolve, stopTimer: () => {} };
      this.#arm(this.#pause);
    });
    this.#pause = null;
  }

  /** Leaves `factor` of what is left of the present pause. */
  shorten(factor: number): void {
    const pause = this.#pause;
    if (pause === null) return;
    pause.stopTimer();
    pause.endMs = this.#timers.clock.monotonicMs() + this.leftMs * factor;
    this.#arm(pause);
  }

  #arm(pause: Pause): void {
    pause.stopTimer = this.#timers.sched.after(Math.ceil(this.leftMs), pause.end);
  }
}

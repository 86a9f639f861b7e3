/**
 * Timers of one owner, which end with it.
 */
import type { Cancel, Scheduler } from '@shoal/runtime';

export class Timers {
  readonly #sched: Pick<Scheduler, 'after'>;
  readonly #running = new Set<Cancel>();
  #isClosed = false;

  constructor(sched: Pick<Scheduler, 'after'>) {
    this.#sched = sched;
  }

  /** Runs once after `delayMs`, unless it is cancelled or the owner has ended by then. */
  after(delayMs: number, run: () => void): Cancel {
    if (this.#isClosed) return () => {};
    const stop = this.#sched.after(delayMs, () => {
      this.#running.delete(cancel);
      run();
    });
    const cancel = (): void => {
      this.#running.delete(cancel);
      stop();
    };
    this.#running.add(cancel);
    return cancel;
  }

  close(): void {
    this.#isClosed = true;
    for (const cancel of [...this.#running]) cancel();
  }
}

/**
 * How long the end of a pipeline waits for what is under way: as long as anything moves, and longer only where nothing may be left.
 */
import type { Runtime } from '@shoal/runtime';

/** What has not moved for so long is stuck. Below the ten seconds after which supervisors of processes kill. */
const STUCK_MS = 4_000;
/** Looks while nothing moves; what is waited for after something that was stuck has the time of one. */
const LOOKS = 4;

export interface PatienceOptions {
  readonly runtime: Runtime;
  /** Grows with whatever gets done. */
  readonly progress: () => number;
  /** Whether what is stuck may be left as it is; asked each time that nothing has moved. */
  readonly mayLeave: () => boolean;
}

export class Patience {
  readonly #options: PatienceOptions;
  #progress: number;
  /** Looks since something moved, over all waits. */
  #stillLooks = 0;

  constructor(options: PatienceOptions) {
    this.#options = options;
    this.#progress = options.progress();
  }

  /** Resolves with true when `done` has settled, with false when it is stuck and may be left. Rejects as `done` does. */
  waitFor(done: Promise<unknown>): Promise<boolean> {
    const { runtime, mayLeave } = this.#options;
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (this.#isStill() && mayLeave()) resolve(false);
        else cancel = runtime.sched.after(STUCK_MS / LOOKS, look);
      };
      let cancel = runtime.sched.after(STUCK_MS / LOOKS, look);
      done.then(() => resolve(true), reject).finally(() => cancel());
    });
  }

  #isStill(): boolean {
    const now = this.#options.progress();
    this.#stillLooks = now === this.#progress ? this.#stillLooks + 1 : 0;
    this.#progress = now;
    return this.#stillLooks >= LOOKS;
  }
}

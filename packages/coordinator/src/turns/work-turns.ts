/**
 * Long work of one request on the main thread, done in pieces: between two of them the thread answers heartbeats and other
 * requests, which would else wait as long as the largest request takes to be read.
 */
import type { Scheduler } from '@shoal/runtime';

/** Items in a row: a few milliseconds of the costliest kind. */
const ITEMS_A_TURN = 1_000;

export class WorkTurns {
  readonly #sched: Scheduler;
  #done = 0;

  constructor(sched: Scheduler) {
    this.#sched = sched;
  }

  /** To be called for each item, and waited for when it is not null: the next turn then goes on. */
  step(): Promise<void> | null {
    this.#done++;
    if (this.#done < ITEMS_A_TURN) return null;
    this.#done = 0;
    return new Promise((resolve) => this.#sched.soon(resolve));
  }
}

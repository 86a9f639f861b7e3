/**
 * Long work over many items in slices of a fixed number: between two of them the thread answers heartbeats and other
 * requests. For work whose items cost too little to ask the clock after each.
 */
import type { Scheduler } from '../interfaces/scheduler.ts';

/** Items of one slice: a few milliseconds of the costliest kind. */
const ITEMS_A_SLICE = 1_000;

export class ItemSlices {
  readonly #sched: Scheduler;
  #done = 0;

  constructor(sched: Scheduler) {
    this.#sched = sched;
  }

  /** To be called for each item, and waited for when it is not null: the next turn then goes on. */
  step(): Promise<void> | null {
    this.#done++;
    if (this.#done < ITEMS_A_SLICE) return null;
    this.#done = 0;
    return new Promise((resolve) => this.#sched.soon(resolve));
  }
}

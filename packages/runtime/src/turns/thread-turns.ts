/**
 * Takes turns on one thread: of all work that is heavy or waits in the background, one piece each turn of the event loop.
 *
 * Between two pieces the loop takes in what came from outside, so that a short search waits for one piece and not for one
 * of each work that goes on.
 */
import type { Scheduler } from '../interfaces/scheduler.ts';

export class ThreadTurns {
  private readonly sched: Scheduler;
  /** Functions that start the next piece of a work, in the order of their turns. */
  private readonly waiting: (() => void)[] = [];
  private isScheduled = false;

  constructor(sched: Scheduler) {
    this.sched = sched;
  }

  /** Resolves when it is the caller's turn, first come first served. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.sched.soon(() => {
      this.isScheduled = false;
      this.waiting.shift()?.();
      if (this.waiting.length > 0) this.schedule();
    });
  }
}

/**
 * Takes turns on one thread: of all work that is heavy or waits in the background, one piece each turn of the event loop.
 *
 * Between two pieces the loop takes in what came from outside, so that a short search waits for one piece and not for one
 * of each work that goes on. Work that had few slices goes before work that had many: what is nearly done is not held up by
 * writing, merging and long searches.
 */
import type { Scheduler } from '../interfaces/scheduler.ts';

/** Slices after which work counts as long, and which work in the background is taken to have had from its beginning. */
const LONG_WORK_SLICES = 4;
/** One turn of so many is that of who waited longest, however many slices it had. */
const OLDEST_EVERY = 4;

interface Waiting {
  /** Starts the next piece of a work. */
  readonly start: () => void;
  /** Slices that it had: 0..`LONG_WORK_SLICES`. */
  readonly slices: number;
}

export class ThreadTurns {
  private readonly sched: Scheduler;
  /** Works in the order in which they came. */
  private readonly waiting: Waiting[] = [];
  private isScheduled = false;
  private turn = 0;

  constructor(sched: Scheduler) {
    this.sched = sched;
  }

  /** Resolves when it is the caller's turn: the fewer slices it had the sooner, first come first served among equals. */
  next(slices: number = LONG_WORK_SLICES): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push({ start: resolve, slices: Math.min(slices, LONG_WORK_SLICES) });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    this.sched.soon(() => {
      this.isScheduled = false;
      const [next] = this.waiting.splice(this.nextPosition(), 1);
      next?.start();
      if (this.waiting.length > 0) this.schedule();
    });
  }

  private nextPosition(): number {
    this.turn = (this.turn + 1) % OLDEST_EVERY;
    if (this.turn === 0) return 0;
    let best = 0;
    for (let i = 1; i < this.waiting.length; i++) {
      if ((this.waiting[i] as Waiting).slices < (this.waiting[best] as Waiting).slices) best = i;
    }
    return best;
  }
}

/**
 * Turns of pipelines at their queues: in one turn of the event loop all of them together take batches for a few milliseconds; who
 * would take more waits for a later turn.
 *
 * Events are serialised as they are taken. A fast worker has answered before the next batch is ready, so that without a limit the loop would
 * come to nothing else (sockets, the API, other pipelines) before the queue and all inputs that wait for room in it were emptied.
 */
import type { Clock, Scheduler } from '@shoal/runtime';

/** Work of all pipelines in one turn of the loop. */
const SLICE_MS = 5;

export class QueueTurns {
  readonly #clock: Clock;
  readonly #sched: Scheduler;
  /** Functions that let a pipeline go on, in the order of their coming. */
  readonly #waiting = new Set<() => void>();
  #spentMs = 0;
  #isScheduled = false;

  constructor({ clock, sched }: { readonly clock: Clock; readonly sched: Scheduler }) {
    this.#clock = clock;
    this.#sched = sched;
  }

  /** Whether who has more to take should wait for another turn. */
  get isOver(): boolean {
    return this.#spentMs >= SLICE_MS;
  }

  /** Does a step of the work; its time counts. */
  timed<T>(step: () => T): T {
    const startMs = this.#clock.monotonicMs();
    try {
      return step();
    } finally {
      this.#spentMs += this.#clock.monotonicMs() - startMs;
      if (this.#spentMs > 0) this.#schedule();
    }
  }

  /** Calls the function in a later turn: once, however often it is given until then. */
  later(goOn: () => void): void {
    this.#waiting.add(goOn);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#sched.soon(() => {
      this.#isScheduled = false;
      this.#spentMs = 0;
      for (const goOn of this.#waiting) {
        if (this.isOver) break;
        this.#waiting.delete(goOn);
        goOn();
      }
      if (this.#waiting.size > 0) this.#schedule();
    });
  }
}

/**
 * Shards that wait for room on a full disk: each is tried again after a while, which grows.
 */
import type { Cancel, Scheduler } from '@shoal/runtime';

/** First and longest wait. */
export const ROOM_WAIT_FIRST_MS = 500;
const ROOM_WAIT_MAX_MS = 30_000;

export class RoomWaits {
  readonly #sched: Scheduler;
  readonly #waits = new Set<Cancel>();

  constructor(sched: Scheduler) {
    this.#sched = sched;
  }

  /** @param again is given the next wait */
  after(waitMs: number, again: (nextMs: number) => void): void {
    const cancel = this.#sched.after(waitMs, () => {
      this.#waits.delete(cancel);
      again(Math.min(waitMs * 2, ROOM_WAIT_MAX_MS));
    });
    this.#waits.add(cancel);
  }

  close(): void {
    for (const cancel of this.#waits) cancel();
    this.#waits.clear();
  }
}

/**
 * Shards that wait for room on a full disk: each is tried again after a while, which grows.
 */
import type { Scheduler } from '@shoal/runtime';
import { Timers } from '../calls/timers.ts';

/** First and longest wait. */
export const ROOM_WAIT_FIRST_MS = 500;
const ROOM_WAIT_MAX_MS = 30_000;

export class RoomWaits {
  readonly #timers: Timers;

  constructor(sched: Scheduler) {
    this.#timers = new Timers(sched);
  }

  /** @param again is given the next wait */
  after(waitMs: number, again: (nextMs: number) => void): void {
    this.#timers.after(waitMs, () => again(Math.min(waitMs * 2, ROOM_WAIT_MAX_MS)));
  }

  close(): void {
    this.#timers.close();
  }
}

/**
 * The pace of documents by query: how long a batch has to wait so that no more than so many documents a second are written.
 *
 * A faster pace holds at once, a slower one from the next batch on, so that a wait never grows while it lasts.
 */
import type { Clock } from '@shoal/runtime';
import type { Pauses } from './pauses.ts';

const MILLIS = 1_000;
/** Longest wait, and so the longest time that the hits of a search are kept for it. */
const WAIT_MS_MAX = 24 * 60 * 60 * MILLIS;

export class Throttle {
  readonly #clock: Clock;
  readonly #pauses: Pauses;
  #requestsPerSecond: number;
  #waitedMs = 0;

  /** @param requestsPerSecond above 0; Infinity: no limit */
  constructor(clock: Clock, pauses: Pauses, requestsPerSecond: number) {
    this.#clock = clock;
    this.#pauses = pauses;
    this.#requestsPerSecond = requestsPerSecond;
  }

  get requestsPerSecond(): number {
    return this.#requestsPerSecond;
  }

  /** Milliseconds waited until now. */
  get waitedMs(): number {
    return this.#waitedMs;
  }

  /** Milliseconds to wait behind a batch of so many documents that began at `startedMs`. */
  waitMs(documents: number, startedMs: number): number {
    if (this.#requestsPerSecond === Number.POSITIVE_INFINITY) return 0;
    const perfectMs = (documents / this.#requestsPerSecond) * MILLIS;
    const leftMs = Math.ceil(startedMs + perfectMs - this.#clock.monotonicMs());
    return Math.min(WAIT_MS_MAX, Math.max(0, leftMs));
  }

  /** Resolves when the time is up, or the work is cancelled. */
  async wait(ms: number): Promise<void> {
    const startedMs = this.#clock.monotonicMs();
    await this.#pauses.pause(ms);
    this.#waitedMs += this.#clock.monotonicMs() - startedMs;
  }

  rethrottle(requestsPerSecond: number): void {
    const before = this.#requestsPerSecond;
    this.#requestsPerSecond = requestsPerSecond;
    if (requestsPerSecond > before) this.#pauses.shorten(before / requestsPerSecond);
  }
}

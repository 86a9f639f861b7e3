/**
 * Addresses that take turns. One that failed is left out until its time is over; when all failed, the one whose time is over
 * first comes next, so that there is always one to try.
 */
import { assert } from '@shoal/core';
import type { Clock } from '@shoal/runtime';

/** How long an address that failed is left out. */
const LEFT_OUT_MS = 60_000;

export class TakingTurns {
  readonly #clock: Clock;
  readonly #addresses: readonly string[];
  /** Until when an address is left out, of the monotonic clock. */
  readonly #leftOutUntilMs = new Map<string, number>();
  #turn = 0;

  /** @param addresses at least one */
  constructor(addresses: readonly string[], clock: Clock) {
    assert(addresses.length > 0, 'nobody can take turns');
    this.#addresses = addresses;
    this.#clock = clock;
  }

  next(): string {
    const nowMs = this.#clock.monotonicMs();
    let best = this.#addresses[0] ?? '';
    let bestMs = Number.POSITIVE_INFINITY;
    for (let step = 0; step < this.#addresses.length; step++) {
      const address = this.#addresses[(this.#turn + step) % this.#addresses.length] ?? '';
      const untilMs = this.#leftOutUntilMs.get(address) ?? 0;
      if (untilMs <= nowMs) {
        this.#turn = (this.#turn + step + 1) % this.#addresses.length;
        return address;
      }
      if (untilMs < bestMs) [best, bestMs] = [address, untilMs];
    }
    return best;
  }

  failed(address: string): void {
    this.#leftOutUntilMs.set(address, this.#clock.monotonicMs() + LEFT_OUT_MS);
  }
}

/**
 * The breaker `inflight_requests`: bytes of messages between socket and handler, over all sockets of the node.
 *
 * Reserved before a body is read, released when the answer is written, so a flood of requests is refused instead of
 * filling the memory.
 */
import { assert, circuitBreaking, type ShoalError } from '@shoal/core';

/** Share of the limit above which sockets whose senders can wait are not read. */
const PAUSE_SHARE = 0.8;

export class InflightRequests {
  readonly limitBytes: number;
  #usedBytes = 0;
  #trips = 0;
  #onRelief: (() => void)[] = [];

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes;
  }

  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Times that a reservation was refused. */
  get trips(): number {
    return this.#trips;
  }

  get isCrowded(): boolean {
    return this.#usedBytes > this.limitBytes * PAUSE_SHARE;
  }

  tryReserve(bytes: number): boolean {
    assert(bytes >= 0, `a reservation of ${bytes} bytes`);
    if (this.#usedBytes + bytes > this.limitBytes) {
      this.#trips++;
      return false;
    }
    this.#usedBytes += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#usedBytes -= bytes;
    assert(this.#usedBytes >= 0, `inflight bytes fell to ${this.#usedBytes}`);
    if (this.isCrowded || this.#onRelief.length === 0) return;
    const waiting = this.#onRelief;
    this.#onRelief = [];
    for (const fn of waiting) fn();
  }

  /** Calls `fn` once, when there is room again. */
  whenRelieved(fn: () => void): void {
    this.#onRelief.push(fn);
  }

  /** The error of a message that was not let in. */
  refusal(action: string, bytes: number): ShoalError {
    return circuitBreaking(
      `[inflight_requests] Data too large, data for [${action}] would be [${this.#usedBytes + bytes}/` +
        `${this.#usedBytes + bytes}b], which is larger than the limit of [${this.limitBytes}/${this.limitBytes}b]`,
      { wanted: this.#usedBytes + bytes, limit: this.limitBytes },
    );
  }
}

/**
 * A value that is read again when it is asked for and the last one is too old: those who ask often share it.
 */
import type { Clock } from '@shoal/runtime';

export class CachedValue<Value> {
  readonly #clock: Clock;
  readonly #freshMs: number;
  readonly #read: () => Promise<Value>;
  #latest: Promise<Value> | null = null;
  #readMs = 0;

  constructor(clock: Clock, freshMs: number, read: () => Promise<Value>) {
    this.#clock = clock;
    this.#freshMs = freshMs;
    this.#read = read;
  }

  value(): Promise<Value> {
    const nowMs = this.#clock.monotonicMs();
    if (this.#latest !== null && nowMs - this.#readMs < this.#freshMs) return this.#latest;
    this.#readMs = nowMs;
    this.#latest = this.#read();
    return this.#latest;
  }
}

/**
 * Answers by their question, for a time: the least recently used goes when there are too many.
 */
import type { Clock } from '@shoal/runtime';

interface Remembered<T> {
  readonly answer: Promise<T>;
  readonly untilMs: number;
}

export class LookupCache<T> {
  private readonly sizeMax: number;
  private readonly ttlMs: number;
  private readonly clock: Clock;
  /** The least recently used first. */
  private readonly entries = new Map<string, Remembered<T>>();

  constructor(sizeMax: number, ttlMs: number, clock: Clock) {
    this.sizeMax = sizeMax;
    this.ttlMs = ttlMs;
    this.clock = clock;
  }

  /** Who asks the same while the answer is on its way waits for that one. `ask` must not reject. */
  get(key: string, ask: () => Promise<T>): Promise<T> {
    const nowMs = this.clock.monotonicMs();
    const known = this.entries.get(key);
    this.entries.delete(key);
    const entry = known !== undefined && known.untilMs > nowMs ? known : { answer: ask(), untilMs: nowMs + this.ttlMs };
    this.entries.set(key, entry);
    const [oldest] = this.entries.keys();
    if (this.entries.size > this.sizeMax && oldest !== undefined) this.entries.delete(oldest);
    return entry.answer;
  }
}

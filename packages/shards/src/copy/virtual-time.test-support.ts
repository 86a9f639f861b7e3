/**
 * A clock and timers that move when nothing else is left to do, and random delays from a seed.
 */
import { type SeededRandom, seededRandom } from '@shoal/simulation';

export class VirtualTime {
  readonly random: SeededRandom;
  nowMs = 0;
  #events: { readonly atMs: number; readonly number: number; readonly run: () => void }[] = [];
  #number = 0;

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  readonly clock = { monotonicMs: (): number => this.nowMs, wallMs: (): number => Math.floor(this.nowMs) };

  readonly sched = {
    after: (ms: number, run: () => void): (() => void) => {
      const event = { atMs: this.nowMs + ms, number: this.#number++, run };
      this.#events.push(event);
      return () => {
        this.#events = this.#events.filter((other) => other !== event);
      };
    },
    soon: (run: () => void): void => queueMicrotask(run),
  };

  /** Resolves after a random while of up to so many milliseconds. */
  async pass(msMax: number): Promise<void> {
    await new Promise<void>((resolve) => this.sched.after(this.random.unit() * msMax, resolve));
  }

  async runUntil(isDone: () => boolean, msMax: number): Promise<boolean> {
    const endMs = this.nowMs + msMax;
    for (;;) {
      // Whatever promises are settled by now have their say before time goes on.
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (isDone()) return true;
      this.#events.sort((a, b) => a.atMs - b.atMs || a.number - b.number);
      const [next] = this.#events;
      if (next === undefined || next.atMs > endMs) {
        this.nowMs = endMs;
        return false;
      }
      this.#events.shift();
      this.nowMs = next.atMs;
      next.run();
    }
  }
}

/**
 * One process of a simulated node: the gate that everything which calls back into its program goes through.
 *
 * A killed process' callbacks never run again and its promises never settle; a paused one's all run late, in their order.
 */
import type { SeededRandom } from './seeded-random.ts';

/** The time and queue of the world, as its parts use them. */
export interface WorldTime {
  readonly nowMs: number;
  /** Runs `run` at `nowMs + ms`; `label` names it in the trace and in a deadlock report. */
  post(ms: number, label: string, run: () => void, lane?: 0 | 1): void;
}

export class SimulatedProcess {
  readonly name: string;
  readonly random: SeededRandom;
  readonly #time: WorldTime;
  readonly #operations = new Map<number, string>();
  #nextOperation = 1;
  #isAlive = true;
  #pausedUntilMs = 0;

  constructor(name: string, time: WorldTime, random: SeededRandom) {
    this.name = name;
    this.#time = time;
    this.random = random;
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Operations begun and not finished, for the deadlock report. */
  get openOperations(): readonly string[] {
    return [...this.#operations.values()].map((what) => `${this.name}: ${what}`);
  }

  kill(): void {
    this.#isAlive = false;
    this.#operations.clear();
  }

  pause(untilMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs);
  }

  post(ms: number, label: string, run: () => void, lane: 0 | 1 = 1): void {
    if (!this.#isAlive) return;
    this.#time.post(ms, `${this.name} ${label}`, () => this.#enter(label, run, lane), lane);
  }

  /** An operation that takes `ms`: its result is computed when it is over. Never settles once the process is dead. */
  operation<T>(ms: number, what: string, finish: () => T): Promise<T> {
    return this.pending<T>(what, (resolve, reject) => {
      this.post(ms, what, () => {
        try {
          resolve(finish());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** A promise that is on the list of open operations until it settles, and never settles once the process is dead. */
  pending<T>(what: string, start: (resolve: (value: T) => void, reject: (error: unknown) => void) => void): Promise<T> {
    const id = this.#nextOperation++;
    if (this.#isAlive) this.#operations.set(id, what);
    return new Promise<T>((resolve, reject) => {
      const ifAlive =
        <A>(settle: (argument: A) => void) =>
        (argument: A): void => {
          if (!this.#isAlive) return;
          this.#operations.delete(id);
          settle(argument);
        };
      if (this.#isAlive) start(ifAlive(resolve), ifAlive(reject));
    });
  }

  #enter(label: string, run: () => void, lane: 0 | 1): void {
    if (!this.#isAlive) return;
    const waitMs = this.#pausedUntilMs - this.#time.nowMs;
    if (waitMs > 0) this.#time.post(waitMs, `${this.name} ${label}`, () => this.#enter(label, run, lane), lane);
    else run();
  }
}

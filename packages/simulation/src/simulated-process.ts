/**
 * One process of a simulated node: everything that calls back into its program passes through here.
 *
 * A killed process' callbacks never run again and its promises never settle. A process that is paused, or busy with the work
 * of an earlier event, runs what is due late, in its order.
 */
import { assert } from '@shoal/core';
import type { SeededRandom } from './seeded-random.ts';
import { drawWorkMs, USUAL_WORK, type WorkTimes } from './work-times.ts';

/** The time, queue and trace of the world, for its parts. */
export interface WorldTime {
  readonly nowMs: number;
  /** Position of an event among those of the same time; each number is given once, ascending. */
  nextOrder(): number;
  post(event: WorldEvent): void;
  /** Adds bytes that were sent or written to the trace hash. */
  trace(bytes: Uint8Array): void;
}

export interface WorldEvent {
  /** Time of the event; `nowMs` or later. */
  readonly atMs: number;
  /** Names it in the trace and in a deadlock report. */
  readonly label: string;
  /** 0: `soon`, 1: everything else. */
  readonly lane: 0 | 1;
  readonly order: number;
  run(): void;
}

type DueCall = Pick<WorldEvent, 'run' | 'lane' | 'order'>;

export class SimulatedProcess {
  readonly name: string;
  readonly random: SeededRandom;
  workTimes: WorkTimes = USUAL_WORK;
  readonly #time: WorldTime;
  readonly #workRandom: SeededRandom;
  readonly #operations = new Map<number, string>();
  /** What is due, by its order. A process that is dead has none, so that nothing of its program is held until then. */
  readonly #due = new Map<number, DueCall>();
  #nextOperation = 1;
  #isAlive = true;
  #pausedUntilMs = 0;
  /** End of the work done so far; ahead of the world's time while an event runs. */
  #busyUntilMs = 0;

  constructor(name: string, time: WorldTime, random: SeededRandom) {
    this.name = name;
    this.#time = time;
    this.random = random;
    this.#workRandom = random.fork('work');
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  /** Time of this process: the world's, plus the work that it has done in the event that runs. */
  get nowMs(): number {
    return Math.max(this.#time.nowMs, this.#busyUntilMs);
  }

  /** Operations begun and not finished, for the deadlock report. */
  get openOperations(): readonly string[] {
    return [...this.#operations.values()].map((what) => `${this.name}: ${what}`);
  }

  /** The clock as the program reads it: some work was done since the last reading. */
  readClock(): number {
    const before = this.nowMs;
    this.#busyUntilMs = before + drawWorkMs(this.workTimes, this.#workRandom);
    assert(this.#busyUntilMs >= before, `${this.name}: the clock fell from ${before} to ${this.#busyUntilMs}`);
    return this.#busyUntilMs;
  }

  kill(): void {
    this.#isAlive = false;
    this.#operations.clear();
    this.#due.clear();
  }

  pause(untilMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs);
  }

  /** Runs `run` when `ms` of this process' time have passed. */
  post(ms: number, label: string, run: () => void, lane: 0 | 1 = 1): void {
    this.postAt(this.nowMs + ms, label, run, lane);
  }

  /** Runs `run` at a time of the world, or as soon after it as the process is free. */
  postAt(atMs: number, label: string, run: () => void, lane: 0 | 1 = 1): void {
    if (this.#isAlive) this.#post(atMs, `${this.name} ${label}`, { run, lane, order: this.#time.nextOrder() });
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

  /** Adds bytes that this process sent or wrote to the trace hash. */
  trace(bytes: Uint8Array): void {
    this.#time.trace(bytes);
  }

  #post(atMs: number, label: string, call: DueCall): void {
    const { lane, order } = call;
    this.#due.set(order, call);
    this.#time.post({ atMs, label, lane, order, run: () => this.#enter(label, order) });
  }

  #enter(label: string, order: number): void {
    const event = this.#due.get(order);
    if (event === undefined) return; // The process is dead.
    this.#due.delete(order);
    const freeAtMs = Math.max(this.#pausedUntilMs, this.#busyUntilMs);
    if (freeAtMs > this.#time.nowMs) this.#post(freeAtMs, label, this.#postponed(event));
    else event.run();
  }

  /**
   * An event that was due while the process was busy lines up behind the `soon` calls of that time and before those of later
   * turns, as in a real event loop: work that goes on from turn to turn holds no timer up for ever.
   */
  #postponed(event: DueCall): DueCall {
    return event.lane === 0 ? event : { run: event.run, lane: 0, order: this.#time.nextOrder() };
  }
}

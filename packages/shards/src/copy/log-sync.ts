/**
 * Syncs of the log of one copy: those that are asked for while one runs share the next one.
 */
import { assert } from '@shoal/core';
import type { Timers } from '../calls/timers.ts';

export interface LogSyncOptions {
  readonly timers: Timers;
  readonly sync: () => Promise<void>;
  /** How long a sync waits for others; 0: it does not. */
  readonly delayMs: () => number;
  /** What was executed before the sync of this number was asked for is durable. */
  readonly synced: (through: number) => void;
  readonly failed: (error: unknown) => void;
}

export class LogSync {
  readonly #options: LogSyncOptions;
  #isRunning = false;
  /** Highest number that was asked for and has not begun. */
  #wanted: number | null = null;

  constructor(options: LogSyncOptions) {
    this.#options = options;
  }

  ask(number: number): void {
    assert(this.#wanted === null || number > this.#wanted, `sync ${number} after ${this.#wanted}`);
    this.#wanted = number;
    this.#begin();
  }

  #begin(): void {
    if (this.#isRunning || this.#wanted === null) return;
    this.#isRunning = true;
    const delayMs = this.#options.delayMs();
    if (delayMs === 0) this.#run();
    else this.#options.timers.after(delayMs, () => this.#run());
  }

  #run(): void {
    const through = this.#wanted;
    assert(through !== null, 'a sync that nobody asked for');
    this.#wanted = null;
    this.#options.sync().then(
      () => {
        this.#isRunning = false;
        this.#options.synced(through);
        this.#begin();
      },
      (error: unknown) => this.#options.failed(error),
    );
  }
}

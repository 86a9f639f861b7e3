/**
 * Permits of operations that may run beside each other, and of changes that may not: whoever changes what operations count on waits until
 * none runs, and lets none begin meanwhile. All of them begin in the order in which they were asked for.
 */
import { assert } from '@shoal/core';

interface Waiting {
  readonly isAlone: boolean;
  readonly begin: () => void;
}

export class OperationPermits {
  readonly #waiting: Waiting[] = [];
  #running = 0;
  #isAlone = false;

  /** Operations that have begun and not ended. */
  get running(): number {
    return this.#running;
  }

  /** Runs an operation beside others, at once where nothing waits. */
  run<T>(operation: () => Promise<T>): Promise<T> {
    return this.#add(false, operation);
  }

  /** Runs `change` while no operation runs: after everything that was asked for before, before everything that is asked for later. */
  alone<T>(change: () => Promise<T>): Promise<T> {
    return this.#add(true, change);
  }

  #add<T>(isAlone: boolean, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve) => {
      this.#waiting.push({ isAlone, begin: () => resolve(this.#perform(isAlone, work)) });
      this.#beginNext();
    });
  }

  async #perform<T>(isAlone: boolean, work: () => Promise<T>): Promise<T> {
    if (isAlone) this.#isAlone = true;
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#ended(isAlone);
    }
  }

  #ended(isAlone: boolean): void {
    if (isAlone) this.#isAlone = false;
    else this.#running--;
    assert(this.#running >= 0, `${this.#running} operations run`);
    this.#beginNext();
  }

  #beginNext(): void {
    while (!this.#isAlone) {
      const [next] = this.#waiting;
      if (next === undefined || (next.isAlone && this.#running > 0)) return;
      this.#waiting.shift();
      next.begin();
    }
  }
}

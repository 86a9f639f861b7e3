/**
 * Order of the work on the engine of one copy: writes of clients run beside each other, everything else runs alone, and all of it begins in
 * the order in which it was asked for.
 */
import { assert } from '@shoal/core';

interface Waiting {
  readonly isShared: boolean;
  readonly begin: () => void;
}

export class EngineJobs {
  readonly #waiting: Waiting[] = [];
  #shared = 0;
  #isAlone = false;

  /** Runs beside other shared work. */
  shared<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(true, work);
  }

  /** Runs after everything that was asked for before, and before everything that is asked for later. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#run(false, work);
  }

  #run<T>(isShared: boolean, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        if (isShared) this.#shared++;
        else this.#isAlone = true;
        work()
          .then(resolve, reject)
          .finally(() => this.#ended(isShared));
      };
      this.#waiting.push({ isShared, begin });
      this.#beginNext();
    });
  }

  #ended(isShared: boolean): void {
    if (isShared) this.#shared--;
    else this.#isAlone = false;
    assert(this.#shared >= 0, `${this.#shared} writes run`);
    this.#beginNext();
  }

  #beginNext(): void {
    while (!this.#isAlone) {
      const [next] = this.#waiting;
      if (next === undefined || (!next.isShared && this.#shared > 0)) return;
      this.#waiting.shift();
      next.begin();
    }
  }
}

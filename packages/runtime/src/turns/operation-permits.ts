/**
 * Permits of the operations that run on a shard: whoever changes what they count on, such as the primary term, waits until none
 * runs and lets none begin meanwhile.
 */
import { assert } from '@shoal/core';

export class OperationPermits {
  #running = 0;
  /** Resolves when operations may begin again; null while they may. */
  #closed: Promise<void> | null = null;
  #onIdle: () => void = () => {};

  /** Operations that have begun and not ended. */
  get running(): number {
    return this.#running;
  }

  /** Runs an operation once none is kept out; operations do not wait for each other. */
  async run<T>(operation: () => Promise<T>): Promise<T> {
    while (this.#closed !== null) await this.#closed;
    this.#running++;
    try {
      return await operation();
    } finally {
      this.#running--;
      assert(this.#running >= 0, `${this.#running} operations run`);
      if (this.#running === 0) this.#onIdle();
    }
  }

  /** Runs `change` while no operation runs: after those that have begun, before those that have not, one change at a time. */
  async alone<T>(change: () => Promise<T>): Promise<T> {
    while (this.#closed !== null) await this.#closed;
    let open: () => void = () => {};
    this.#closed = new Promise((resolve) => {
      open = resolve;
    });
    try {
      if (this.#running > 0) {
        await new Promise<void>((resolve) => {
          this.#onIdle = resolve;
        });
      }
      assert(this.#running === 0, `${this.#running} operations run beside a change that is alone`);
      return await change();
    } finally {
      this.#onIdle = () => {};
      this.#closed = null;
      open();
    }
  }
}

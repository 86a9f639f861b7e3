/**
 * Cancellation of long work: a flag that work and its parts look at, and the source that sets it. One concept for a client that
 * closed its socket, a task that was cancelled, and a request whose sender is gone.
 */
import { ShoalError } from './errors/shoal-error.ts';

/** Lives as long as one task: it remembers every call of `onCancel` until it is dropped. */
export interface CancelFlag {
  readonly cancelled: boolean;
  /** Reason of the first call of `cancel`; null until then. */
  readonly reason: string | null;
  /** Registers a listener, called once; at once when the flag is set already. */
  onCancel(fn: () => void): void;
}

/** @throws task_cancelled_exception with the reason, once the flag is set; null is a flag that nobody sets */
export function checkNotCancelled(flag: CancelFlag | null): void {
  if (flag?.cancelled !== true) return;
  throw new ShoalError('task_cancelled_exception', 400, flag.reason ?? 'the request was cancelled');
}

/** Owner of a flag. Setting it twice keeps the first reason. */
export class CancelSource implements CancelFlag {
  #reason: string | null = null;
  #listeners: (() => void)[] = [];

  /** The flag alone, for those who may not set it. */
  get flag(): CancelFlag {
    return this;
  }

  get cancelled(): boolean {
    return this.#reason !== null;
  }

  get reason(): string | null {
    return this.#reason;
  }

  onCancel(fn: () => void): void {
    if (this.#reason === null) this.#listeners.push(fn);
    else fn();
  }

  cancel(reason: string): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}

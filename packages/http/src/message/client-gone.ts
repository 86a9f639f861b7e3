/**
 * Tells long work that nobody waits for its answer any more: set when the client of a request closes its socket.
 *
 * The shape is that of the transport's cancel flag, so that a search hands it on to every shard as it is.
 */

export interface ClientGone {
  readonly cancelled: boolean;
  readonly reason: string | null;
  /** Called once, at once when it is cancelled already. */
  onCancel(fn: () => void): void;
}

/** The side that sets the flag. Setting it twice keeps the first reason. */
export class CancelSource implements ClientGone {
  #reason: string | null = null;
  #listeners: (() => void)[] = [];

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

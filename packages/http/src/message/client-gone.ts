/**
 * Cancel flag of a request: set when its client closes the socket, so that work for nobody stops.
 *
 * It has the shape of the transport's cancel flag: a search hands it on to every shard as it is.
 */

export interface ClientGone {
  readonly cancelled: boolean;
  readonly reason: string | null;
  /** Registers a listener, called once; at once when the flag is set already. */
  onCancel(fn: () => void): void;
}

/** Owner of the flag. Setting it twice keeps the first reason. */
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

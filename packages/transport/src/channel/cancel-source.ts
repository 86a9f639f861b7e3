/**
 * The owner's side of a `CancelFlag`: cancels once, tells everyone once.
 */
import type { CancelFlag } from './transport.ts';

export interface CancelSource {
  readonly flag: CancelFlag;
  /** The first call wins. */
  cancel(reason: string): void;
}

export function createCancelSource(): CancelSource {
  const source = new Source();
  return { flag: source, cancel: (reason) => source.cancel(reason) };
}

class Source implements CancelFlag {
  #reason: string | null = null;
  #waiting: (() => void)[] = [];

  get cancelled(): boolean {
    return this.#reason !== null;
  }

  get reason(): string | null {
    return this.#reason;
  }

  onCancel(fn: () => void): void {
    if (this.#reason === null) this.#waiting.push(fn);
    else fn();
  }

  cancel(reason: string): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const fn of waiting) fn();
  }
}

/**
 * Effects of one copy in their order: one that must be durable, or be there, before the next one starts holds those behind it back.
 */
export class EffectQueue<Effect> {
  readonly #perform: (effect: Effect) => Promise<void> | null;
  readonly #failed: (error: unknown) => void;
  #waiting: Effect[] = [];
  #isHeld = false;
  #isClosed = false;

  /**
   * @param perform null: done, the next one may start; else it may when the promise resolves
   * @param failed called for a promise that rejects: what waits behind it is performed no more
   */
  constructor(perform: (effect: Effect) => Promise<void> | null, failed: (error: unknown) => void) {
    this.#perform = perform;
    this.#failed = failed;
  }

  /** Effects that have not started. */
  get size(): number {
    return this.#waiting.length;
  }

  add(effects: readonly Effect[]): void {
    if (this.#isClosed) return;
    // Most steps have a few effects, and none of them holds the others back.
    for (let at = 0; at < effects.length; at++) {
      if (this.#isHeld || this.#waiting.length > 0) this.#waiting.push(effects[at] as Effect);
      else this.#start(effects[at] as Effect);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting = [];
  }

  #start(effect: Effect): void {
    const done = this.#perform(effect);
    if (done === null) return;
    this.#isHeld = true;
    done.then(
      () => {
        this.#isHeld = false;
        this.#startWaiting();
      },
      (error: unknown) => {
        this.#isHeld = false;
        if (this.#isClosed) return;
        this.#waiting = [];
        this.#failed(error);
      },
    );
  }

  #startWaiting(): void {
    while (!this.#isHeld && !this.#isClosed) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#start(next);
    }
  }
}

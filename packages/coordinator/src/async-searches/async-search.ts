/**
 * One asynchronous search of this node: it runs behind the answer to the request that began it, and what came of it is kept
 * until it expires.
 */
import type { Scheduler } from '@shoal/runtime';

/** What is known of a search, as it is shown. */
export interface AsyncContent {
  /** Status that it is answered with. */
  readonly status: number;
  /** JSON of the answer of the search, with plain names and with typed ones; null where it has none. */
  readonly response: { readonly plain: Uint8Array; readonly typed: Uint8Array } | null;
  /** JSON of what went wrong; null where nothing did. */
  readonly error: Uint8Array | null;
  /** JSON of the counts of shards. */
  readonly shards: Uint8Array;
}

const TEXT = new TextEncoder();
const NOTHING_YET: AsyncContent = {
  status: 200,
  response: null,
  error: null,
  shards: TEXT.encode('{"total":0,"successful":0,"skipped":0,"failed":0}'),
};

export class AsyncSearch {
  readonly id: string;
  /** Wall clock, in milliseconds. */
  readonly startedMs: number;
  /** Wall clock, in milliseconds. Changed by whoever wants it kept longer, or less long. */
  expiresMs: number;
  readonly #cancel: (reason: string) => void;
  #partial: () => Promise<AsyncContent> = () => Promise.resolve(NOTHING_YET);
  #content: AsyncContent | null = null;
  #waiting: (() => void)[] = [];
  readonly #begun: Promise<void>;
  #tellBegun: () => void = () => {};

  constructor(
    id: string,
    times: { readonly startedMs: number; readonly expiresMs: number },
    cancel: (reason: string) => void,
  ) {
    this.id = id;
    this.startedMs = times.startedMs;
    this.expiresMs = times.expiresMs;
    this.#cancel = cancel;
    this.#begun = new Promise((resolve) => {
      this.#tellBegun = resolve;
    });
  }

  get isRunning(): boolean {
    return this.#content === null;
  }

  /** Bytes that are kept of it. */
  get bytes(): number {
    return this.#content === null ? 0 : contentBytes(this.#content);
  }

  /** From now on `partial` tells what came so far. */
  watch(partial: () => Promise<AsyncContent>): void {
    this.#partial = partial;
    this.#tellBegun();
  }

  finish(content: AsyncContent): void {
    this.#content = content;
    this.#tellBegun();
    // Lets go of what the search held while it ran.
    this.#partial = () => Promise.resolve(content);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const tell of waiting) tell();
  }

  /** Everything there is of one that has finished; of others what came so far. */
  async content(): Promise<AsyncContent> {
    const soFar = await this.#partial();
    // It may have finished in the meantime.
    return this.#content ?? soFar;
  }

  /** Resolves when its shards are known, or it has failed before. */
  begun(): Promise<void> {
    return this.#begun;
  }

  /** Resolves when it has finished, or so many milliseconds have gone by. */
  finished(withinMs: number, sched: Scheduler): Promise<void> {
    if (!this.isRunning || withinMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const stopTimer = sched.after(withinMs, resolve);
      this.#waiting.push(() => {
        stopTimer();
        resolve();
      });
    });
  }

  cancel(reason: string): void {
    if (this.isRunning) this.#cancel(reason);
  }
}

export function contentBytes({ response, error, shards }: AsyncContent): number {
  const answer = response === null ? 0 : response.plain.length;
  const typed = response === null || response.typed === response.plain ? 0 : response.typed.length;
  return answer + typed + (error?.length ?? 0) + shards.length;
}

/**
 * The last answer, given again for some milliseconds to the same question: what asks a hundred times a second is answered
 * with little work, and sees nothing that is older than it could notice.
 *
 * There is one answer for all questions, not one each: who asks something else drops it. So no answer is ever older than one that
 * was given before it, and no counter goes back from one to the next, whatever was asked.
 */
import type { Clock } from '@shoal/runtime';

const FRESH_MS = 50;

export class AnswerCache {
  readonly #clock: Clock;
  #latest: { readonly question: string; readonly atMs: number; readonly answer: Promise<Uint8Array | null> } | null =
    null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(question: string, make: () => Promise<Uint8Array | null>): Promise<Uint8Array | null> {
    const atMs = this.#clock.monotonicMs();
    if (this.#latest?.question === question && atMs - this.#latest.atMs < FRESH_MS) return this.#latest.answer;
    const answer = make();
    this.#latest = { question, atMs, answer };
    return answer;
  }

  /** Something was answered that is newer. */
  drop(): void {
    this.#latest = null;
  }
}

/**
 * Results of a pure function by its text, for those asked for last: many pipelines of a process use the same patterns, and to
 * translate one of grok's larger ones takes as long as hundreds of matches.
 *
 * What is kept must be free of state, as it is given to everybody who asks.
 */

/** Longer texts are rarely asked for twice, and would hold the memory of many short ones. */
const TEXT_LENGTH_MAX = 50_000;
const RESULTS_MAX = 256;

export class RecentResults<Result> {
  readonly #compute: (text: string) => Result;
  readonly #countMax: number;
  /** The one asked for longest ago comes first. */
  readonly #results = new Map<string, Result>();

  constructor(compute: (text: string) => Result, countMax: number = RESULTS_MAX) {
    this.#compute = compute;
    this.#countMax = countMax;
  }

  /** What the function throws is thrown each time: failures are not kept. */
  of(text: string): Result {
    const known = this.#results.get(text);
    if (known === undefined && !this.#results.has(text)) {
      const made = this.#compute(text);
      if (text.length <= TEXT_LENGTH_MAX) this.#keep(text, made);
      return made;
    }
    this.#results.delete(text);
    this.#results.set(text, known as Result); // It has the text, as was just seen.
    return known as Result; // The same.
  }

  #keep(text: string, result: Result): void {
    this.#results.set(text, result);
    if (this.#results.size <= this.#countMax) return;
    for (const oldest of this.#results.keys()) {
      this.#results.delete(oldest);
      return;
    }
  }
}

/**
 * Programs that were made before, by thread: the same text in the same place is compiled once.
 */

/** Programs kept; the one that was made first goes first. */
const PROGRAMS_MAX = 200;

/** Programs of one language by their text and place. */
export class RecentPrograms<T> {
  readonly #programs = new Map<string, T>();

  /** @throws whatever `make` throws, which is not kept */
  get(key: string, make: () => T): T {
    const known = this.#programs.get(key);
    if (known !== undefined) return known;
    const made = make();
    const [oldest] = this.#programs.keys();
    if (this.#programs.size >= PROGRAMS_MAX && oldest !== undefined) this.#programs.delete(oldest);
    this.#programs.set(key, made);
    return made;
  }
}

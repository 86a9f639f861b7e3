/**
 * When the maps of a task have become so many that it is worth a line in the log: tasks that never end are what fills the memory.
 */

/** Part of the limit after whose number of events it is said again. */
const AGAIN_AFTER_PART = 5;

export class MapCountWarning {
  readonly #limit: number;
  /** Events since it was said; null: it was not, or the maps have become fewer since. */
  #eventsSince: number | null = null;

  /** @param limit maps; 0: never */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** For each event, before it makes a map. */
  isDue(mapCount: number): boolean {
    if (this.#limit <= 0) return false;
    if (mapCount < this.#limit) {
      this.#eventsSince = null;
      return false;
    }
    const again = Math.max(Math.trunc(this.#limit / AGAIN_AFTER_PART), 1);
    if (this.#eventsSince !== null && ++this.#eventsSince < again) return false;
    this.#eventsSince = 0;
    return true;
  }
}

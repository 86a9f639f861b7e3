/**
 * Counts by name that only grow, until they are taken away to be added up elsewhere.
 */
import { assert } from '@shoal/core';

export class NameCounts {
  #counts = new Map<string, number>();

  /** @param count at least 1 */
  add(name: string, count = 1): void {
    assert(Number.isSafeInteger(count) && count >= 1, `[${name}] is counted ${count} times`);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** Counts by name, in the order in which the names were first counted. */
  read(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** Counts since the last call; null: nothing was counted. */
  take(): ReadonlyMap<string, number> | null {
    if (this.#counts.size === 0) return null;
    const taken = this.#counts;
    this.#counts = new Map();
    return taken;
  }
}

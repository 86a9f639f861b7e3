/**
 * What was looked up for processors `enrich` on this node. An index of an enrich policy never changes, and so what was found in it stays
 * true; another execution makes another index, under whose name nothing is known.
 */

export interface EnrichCounts {
  hits: number;
  misses: number;
  /** Time that searches for what was not remembered took, in milliseconds. */
  missesMs: number;
  evictions: number;
  /** Searches that were executed for lookups. */
  searches: number;
  /** Searches that run now. */
  running: number;
}

/** Lookups that are remembered, and the characters of all that they found. */
const ENTRIES_MAX = 1_000;
const CHARS_MAX = 16 * 1024 * 1024;

export class EnrichCache {
  /** Documents as JSON by index and lookup, the least recently used first. */
  readonly #entries = new Map<string, readonly string[]>();
  #chars = 0;
  readonly counts: EnrichCounts = { hits: 0, misses: 0, missesMs: 0, evictions: 0, searches: 0, running: 0 };

  get size(): number {
    return this.#entries.size;
  }

  /** Characters that are held. */
  get chars(): number {
    return this.#chars;
  }

  get(key: string): readonly string[] | undefined {
    const found = this.#entries.get(key);
    if (found === undefined) {
      this.counts.misses++;
      return undefined;
    }
    this.counts.hits++;
    this.#entries.delete(key);
    this.#entries.set(key, found);
    return found;
  }

  put(key: string, found: readonly string[]): void {
    this.#remove(key);
    this.#entries.set(key, found);
    this.#chars += charsOf(key, found);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= ENTRIES_MAX && this.#chars <= CHARS_MAX) return;
      this.#remove(oldest);
      this.counts.evictions++;
    }
  }

  #remove(key: string): void {
    const found = this.#entries.get(key);
    if (found === undefined) return;
    this.#entries.delete(key);
    this.#chars -= charsOf(key, found);
  }
}

function charsOf(key: string, found: readonly string[]): number {
  return found.reduce((sum, json) => sum + json.length, key.length);
}

/**
 * `java.util.TreeMap` and what its methods show of it: maps in the order of their keys, and ranges of them that read and write
 * the map they are of.
 */
import { compareObjects } from './equality.ts';
import { illegalArgumentException } from './java-exception.ts';
import { JavaMap } from './java-map.ts';

export type SortedEntry = readonly [key: unknown, value: unknown];

/** One end of a range. */
export interface RangeEnd {
  readonly key: unknown;
  readonly isIncluded: boolean;
}

/** Neighbours of a key: last before it, last up to it, first from it on, first behind it. */
export type Neighbour = 'lower' | 'floor' | 'ceiling' | 'higher';

export class SortedMap extends JavaMap {
  #sorted: readonly SortedEntry[] = [];
  #sortedVersion = -1;

  constructor() {
    super('java.util.TreeMap');
  }

  /** Order of its keys. */
  compare(a: unknown, b: unknown): number {
    return compareObjects(a, b);
  }

  /** Entries in order, as long as the map does not change. */
  sorted(): readonly SortedEntry[] {
    if (this.#sortedVersion !== this.version) {
      this.#sorted = super.entries().sort(([a], [b]) => compareObjects(a, b));
      this.#sortedVersion = this.version;
    }
    return this.#sorted;
  }

  override entries(): SortedEntry[] {
    return [...this.sorted()];
  }

  /** Entry next to a key; undefined without one. */
  neighbour(key: unknown, which: Neighbour): SortedEntry | undefined {
    const sorted = this.sorted();
    const isBehindEqual = which === 'floor' || which === 'higher';
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const order = this.compare(sorted[middle]?.[0], key);
      if (order < 0 || (order === 0 && isBehindEqual)) from = middle + 1;
      else to = middle;
    }
    return sorted[which === 'ceiling' || which === 'higher' ? from : from - 1];
  }
}

/** Entries of a map between two ends, in its order or against it. */
export class SortedRange extends SortedMap {
  readonly #map: SortedMap;
  readonly #low: RangeEnd | null;
  readonly #high: RangeEnd | null;
  readonly #isReversed: boolean;

  /** @throws JavaException where no key can be between the ends */
  constructor(map: SortedMap, low: RangeEnd | null, high: RangeEnd | null, isReversed = false) {
    super();
    if (low !== null && high !== null && map.compare(low.key, high.key) > 0) {
      throw illegalArgumentException('fromKey > toKey');
    }
    this.#map = map;
    this.#low = low;
    this.#high = high;
    this.#isReversed = isReversed;
  }

  #holds(key: unknown): boolean {
    const low = this.#low === null ? 1 : this.#map.compare(key, this.#low.key);
    const high = this.#high === null ? -1 : this.#map.compare(key, this.#high.key);
    return (
      (low > 0 || (low === 0 && this.#low?.isIncluded === true)) &&
      (high < 0 || (high === 0 && this.#high?.isIncluded === true))
    );
  }

  override compare(a: unknown, b: unknown): number {
    return this.#isReversed ? this.#map.compare(b, a) : this.#map.compare(a, b);
  }

  override sorted(): readonly SortedEntry[] {
    const entries = this.#map.sorted().filter(([key]) => this.#holds(key));
    return this.#isReversed ? entries.reverse() : entries;
  }

  override get size(): number {
    return this.sorted().length;
  }

  override get(key: unknown): unknown {
    return this.#holds(key) ? this.#map.get(key) : null;
  }

  override has(key: unknown): boolean {
    return this.#holds(key) && this.#map.has(key);
  }

  /** @throws JavaException for a key outside */
  override set(key: unknown, value: unknown): unknown {
    if (!this.#holds(key)) throw illegalArgumentException('key out of range');
    return this.#map.set(key, value);
  }

  override delete(key: unknown): unknown {
    return this.#holds(key) ? this.#map.delete(key) : null;
  }

  override clear(): void {
    for (const [key] of this.entries()) this.#map.delete(key);
  }
}

/**
 * The documents of one bucket that match best, few of them with one key.
 *
 * Of documents that match alike the earlier is better. What is dropped can never come back: enough better documents with other
 * keys stay, and better ones with its key alone take its place.
 */
import { assert } from '@shoal/core';

export interface SampleSize {
  /** Documents that are kept. */
  readonly size: number;
  /** Documents with one key that are kept; without a limit where keys do not matter. */
  readonly perKey: number;
}

/** Documents beyond twice the size that are gathered before they are sorted. */
const SLACK = 64;
/** Bytes of a document, about. */
const ENTRY_BYTES = 56;

interface Entry {
  /** Ordinal over all segments. */
  readonly doc: number;
  readonly score: number;
  readonly key: number | bigint | null;
}

export class BestDocs {
  readonly #size: SampleSize;
  #entries: Entry[] = [];

  constructor(size: SampleSize) {
    assert(size.size > 0, `the best ${size.size} documents`);
    this.#size = size;
  }

  get memoryBytes(): number {
    return this.#entries.length * ENTRY_BYTES;
  }

  /** Documents come in ascending order. */
  add(doc: number, score: number, key: number | bigint | null): void {
    this.#entries.push({ doc, score, key });
    if (this.#entries.length >= 2 * this.#size.size + SLACK) this.#entries = this.#best();
  }

  /** Ascending. */
  docs(): readonly number[] {
    return this.#best()
      .map(({ doc }) => doc)
      .sort((a, b) => a - b);
  }

  #best(): Entry[] {
    const { size, perKey } = this.#size;
    const sorted = this.#entries.sort((a, b) => b.score - a.score || a.doc - b.doc);
    assert(sorted.length <= 2 * size + SLACK, `${sorted.length} documents for the best ${size}`);
    if (perKey >= size) return sorted.slice(0, size);
    const counts = new Map<Entry['key'], number>();
    const kept: Entry[] = [];
    for (const entry of sorted) {
      if (kept.length === size) break;
      const count = counts.get(entry.key) ?? 0;
      if (count >= perKey) continue;
      counts.set(entry.key, count + 1);
      kept.push(entry);
    }
    return kept;
  }
}

/**
 * The best entries of many, least first, as Lucene's priority queue keeps them: which of several that weigh alike are kept, and in
 * which order they come out, follows from where they stand in it.
 */
import { assert } from '@shoal/core';

export interface Weighed {
  readonly weight: number;
}

export class LeastFirstHeap<T extends Weighed> {
  private readonly entriesMax: number;
  /** Entry `i` is no more than entries `2i + 1` and `2i + 2`. */
  private readonly entries: T[] = [];

  constructor(entriesMax: number) {
    assert(entriesMax >= 0, `a heap of ${entriesMax} entries`);
    this.entriesMax = entriesMax;
  }

  /** Keeps the entry where there is room, or one that weighs less. */
  offer(entry: T): void {
    const { entries } = this;
    const [least] = entries;
    if (entries.length < this.entriesMax) {
      entries.push(entry);
      this.rise(entries.length - 1);
    } else if (least !== undefined && least.weight < entry.weight) {
      entries[0] = entry;
      this.sink();
    }
  }

  /** All entries, least first; the heap is empty afterwards. */
  drain(): readonly T[] {
    const drained: T[] = [];
    for (let last = this.entries.pop(); last !== undefined; last = this.entries.pop()) {
      const [first] = this.entries;
      drained.push(first ?? last);
      if (first === undefined) break;
      this.entries[0] = last;
      this.sink();
    }
    return drained;
  }

  private rise(from: number): void {
    const entry = this.at(from);
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (entry.weight >= this.at(parent).weight) break;
      this.entries[position] = this.at(parent);
      position = parent;
    }
    this.entries[position] = entry;
  }

  private sink(): void {
    const { length } = this.entries;
    const entry = this.at(0);
    let position = 0;
    for (let child = 1; child < length; child = 2 * position + 1) {
      if (child + 1 < length && this.at(child + 1).weight < this.at(child).weight) child++;
      if (this.at(child).weight >= entry.weight) break;
      this.entries[position] = this.at(child);
      position = child;
    }
    this.entries[position] = entry;
  }

  private at(position: number): T {
    const entry = this.entries[position];
    assert(entry !== undefined, `no entry ${position} of ${this.entries.length}`);
    return entry;
  }
}

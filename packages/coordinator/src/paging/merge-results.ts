/**
 * The best entries of all shards together: a heap of one cursor a shard over their sorted columns.
 *
 * Equal entries are told apart by shard (in the order of the target list), then by position, so that equal inputs give
 * equal pages whatever the order of arrival. Nothing is copied and no object is made per entry.
 */
import { assert } from '@shoal/core';
import type { SortField } from '@shoal/query';
import { compareColumnEntries, type ShardQueryResult } from '@shoal/shard-api';

/** Entry i of the merged order is entry `positions[i]` of shard `shards[i]`. */
export interface MergedEntries {
  readonly shards: Uint32Array;
  readonly positions: Uint32Array;
}

/** Sorted entries: those of a shard's answer, or others that have columns. */
export type SortedColumns = Pick<ShardQueryResult, 'columns' | 'ords'>;

/**
 * @param results by position in the target list; null where a shard has none
 * @param wanted entries; fewer come back when there are fewer
 */
export function mergeResults(
  sort: readonly SortField[],
  results: readonly (SortedColumns | null)[],
  wanted: number,
): MergedEntries {
  const total = results.reduce((sum, result) => sum + (result?.ords.length ?? 0), 0);
  const count = Math.min(wanted, total);
  const shards = new Uint32Array(count);
  const positions = new Uint32Array(count);
  const heap = new CursorHeap(sort, results);
  for (let i = 0; i < count; i++) {
    const shard = heap.top();
    shards[i] = shard;
    positions[i] = heap.takeTop();
  }
  return { shards, positions };
}

/** Shards that have entries left, the one with the best next entry on top. */
class CursorHeap {
  readonly #sort: readonly SortField[];
  readonly #results: readonly (SortedColumns | null)[];
  /** Next entry of each shard. */
  readonly #next: Uint32Array;
  readonly #heap: Uint32Array;
  #size = 0;

  constructor(sort: readonly SortField[], results: readonly (SortedColumns | null)[]) {
    this.#sort = sort;
    this.#results = results;
    this.#next = new Uint32Array(results.length);
    this.#heap = new Uint32Array(results.length);
    for (const [shard, result] of results.entries()) {
      if (result !== null && result.ords.length > 0) this.#heap[this.#size++] = shard;
    }
    for (let i = (this.#size >> 1) - 1; i >= 0; i--) this.#siftDown(i);
  }

  top(): number {
    assert(this.#size > 0, 'a cursor heap ran dry before its count');
    return this.#heap[0] ?? 0;
  }

  /** @returns the position of the entry that was on top */
  takeTop(): number {
    const shard = this.top();
    const position = this.#next[shard] ?? 0;
    this.#next[shard] = position + 1;
    if (position + 1 >= (this.#results[shard]?.ords.length ?? 0)) {
      this.#size--;
      this.#heap[0] = this.#heap[this.#size] ?? 0;
    }
    this.#siftDown(0);
    return position;
  }

  #siftDown(from: number): void {
    const heap = this.#heap;
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= this.#size) return;
      const right = left + 1;
      const child = right < this.#size && this.#isBefore(heap[right] ?? 0, heap[left] ?? 0) ? right : left;
      if (!this.#isBefore(heap[child] ?? 0, heap[at] ?? 0)) return;
      const moved = heap[at] ?? 0;
      heap[at] = heap[child] ?? 0;
      heap[child] = moved;
      at = child;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const columnsA = this.#results[a]?.columns ?? [];
    const columnsB = this.#results[b]?.columns ?? [];
    const order = compareColumnEntries(this.#sort, columnsA, this.#next[a] ?? 0, columnsB, this.#next[b] ?? 0);
    return order < 0 || (order === 0 && a < b);
  }
}

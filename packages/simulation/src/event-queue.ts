/**
 * Events still to happen, by virtual time: a binary heap. At one time `soon` goes before timers, and each in the order in
 * which it was posted, so that a run is a function of its seed alone.
 */
import type { WorldEvent } from './simulated-process.ts';

export class EventQueue {
  readonly #heap: WorldEvent[] = [];

  get size(): number {
    return this.#heap.length;
  }

  get next(): WorldEvent | undefined {
    return this.#heap[0];
  }

  push(event: WorldEvent): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = heap[parentAt];
      if (parent === undefined || !isBefore(event, parent)) break;
      heap[at] = parent;
      at = parentAt;
    }
    heap[at] = event;
  }

  pop(): WorldEvent | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      if (left === undefined) break;
      const takesRight = right !== undefined && isBefore(right, left);
      const child = takesRight ? right : left;
      if (!isBefore(child, last)) break;
      heap[at] = child;
      at = 2 * at + (takesRight ? 2 : 1);
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: WorldEvent, b: WorldEvent): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  return a.lane === b.lane ? a.order < b.order : a.lane < b.lane;
}

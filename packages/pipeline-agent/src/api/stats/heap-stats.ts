/**
 * The heaps of all threads together: that of the main thread, and those of the workers as each told it last.
 *
 * What a thread that ended had collected stays counted: counters never fall.
 */
import type { HeapSample, Runtime } from '@shoal/runtime';

export type HeapNumbers = { readonly [Name in keyof Omit<HeapSample, 'heapId'>]: number };

const NOTHING: HeapNumbers = {
  usedBytes: 0,
  totalBytes: 0,
  maxBytes: 0,
  besideBytes: 0,
  youngUsedBytes: 0,
  youngTotalBytes: 0,
  oldUsedBytes: 0,
  oldTotalBytes: 0,
  youngCollections: 0,
  youngCollectionMs: 0,
  oldCollections: 0,
  oldCollectionMs: 0,
};

export interface ThreadHeap {
  /** null until it was told. */
  readonly heap: HeapSample | null;
}

export class HeapStats {
  readonly #runtime: Runtime;
  readonly #threads: () => readonly ThreadHeap[];
  #known = new Map<ThreadHeap, HeapSample>();
  #ended: HeapNumbers = NOTHING;

  constructor(runtime: Runtime, threads: () => readonly ThreadHeap[]) {
    this.#runtime = runtime;
    this.#threads = threads;
    // From here on collections are counted.
    runtime.machine.heap?.();
  }

  /** null where the runtime has no heaps. */
  total(): HeapNumbers | null {
    const main = this.#runtime.machine.heap?.();
    if (main === undefined) return null;
    const now = new Map<ThreadHeap, HeapSample>();
    for (const thread of this.#threads()) {
      // A thread that runs inline has the heap of the main thread.
      if (thread.heap !== null && thread.heap.heapId !== main.heapId) now.set(thread, thread.heap);
    }
    for (const [thread, heap] of this.#known)
      if (!now.has(thread)) this.#ended = plus(this.#ended, collectionsOf(heap));
    this.#known = now;
    return [...now.values()].reduce<HeapNumbers>(plus, plus(this.#ended, main));
  }
}

function collectionsOf(heap: HeapSample): HeapNumbers {
  const { youngCollections, youngCollectionMs, oldCollections, oldCollectionMs } = heap;
  return { ...NOTHING, youngCollections, youngCollectionMs, oldCollections, oldCollectionMs };
}

function plus(a: HeapNumbers, b: HeapNumbers): HeapNumbers {
  return {
    usedBytes: a.usedBytes + b.usedBytes,
    totalBytes: a.totalBytes + b.totalBytes,
    maxBytes: a.maxBytes + b.maxBytes,
    besideBytes: a.besideBytes + b.besideBytes,
    youngUsedBytes: a.youngUsedBytes + b.youngUsedBytes,
    youngTotalBytes: a.youngTotalBytes + b.youngTotalBytes,
    oldUsedBytes: a.oldUsedBytes + b.oldUsedBytes,
    oldTotalBytes: a.oldTotalBytes + b.oldTotalBytes,
    youngCollections: a.youngCollections + b.youngCollections,
    youngCollectionMs: a.youngCollectionMs + b.youngCollectionMs,
    oldCollections: a.oldCollections + b.oldCollections,
    oldCollectionMs: a.oldCollectionMs + b.oldCollectionMs,
  };
}

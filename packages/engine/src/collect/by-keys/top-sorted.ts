/**
 * The first N documents of one segment by sort keys.
 *
 * Entries are slots of flat arrays: no object is made for one. Their values are read only from the keys of those that a
 * page needs, see merge-segments.ts.
 */

import { assert } from '@shoal/core';
import { BATCH_SIZE } from '../../match/weight/scorer.ts';
import type { HitCollector } from '../walk/match-walk.ts';
import { packedOrder } from './packed-order.ts';
import type { SegmentKey } from './segment-key.ts';

/** A segment's first entries, in order. */
export interface SegmentEntries {
  readonly sources: readonly SegmentKey[];
  /** Ordinals within the segment. */
  readonly docs: Uint32Array;
  readonly docBase: number;
  /** One array a source, beside `docs`. */
  readonly keys: readonly Float64Array[];
  /** null when they are not wanted. */
  readonly scores: Float32Array | null;
}

/** Entries that were shown on pages before. */
export interface AfterKeys {
  /** They end with these; null: none were shown. */
  readonly keys: Float64Array | null;
  /** Last document shown among those with equal keys, relative to the segment; outside it where another one holds it. */
  readonly doc: number;
}

/** What segments of one search hand on to the next. */
export interface AmongSegments {
  /** Earlier ones have enough documents with first keys up to this one. */
  limit: number;
  /** Room for those of a batch. */
  readonly firstKeys: Float64Array;
}

export function firstOfSegments(): AmongSegments {
  return { limit: Number.POSITIVE_INFINITY, firstKeys: new Float64Array(BATCH_SIZE) };
}

/** Takes all documents while there is room; from then on it is a heap of slots with the last entry on top. */
export class SegmentTop implements HitCollector {
  private readonly sources: readonly SegmentKey[];
  private readonly keys: readonly Float64Array[];
  private readonly docs: Uint32Array;
  private readonly scores: Float32Array | null;
  private readonly heap: Uint32Array;
  private readonly capacity: number;
  private readonly after: AfterKeys;
  private readonly limit: number;
  private readonly candidate: Float64Array;
  private readonly firstKeys: Float64Array;
  private size = 0;
  /** Highest score offered; -1 before any. */
  maxScore = -1;

  constructor(
    sources: readonly SegmentKey[],
    capacity: number,
    after: AfterKeys,
    hasScores: boolean,
    among: AmongSegments = firstOfSegments(),
  ) {
    this.sources = sources;
    assert(sources.length > 0 && capacity > 0, `the first ${capacity} documents by ${sources.length} keys`);
    assert(
      after.keys === null || after.keys.length === sources.length,
      `a page behind ${after.keys?.length} keys of ${sources.length}`,
    );
    this.limit = among.limit;
    this.firstKeys = among.firstKeys;
    this.capacity = capacity;
    this.after = after;
    this.keys = sources.map(() => new Float64Array(capacity));
    this.docs = new Uint32Array(capacity);
    this.scores = hasScores ? new Float32Array(capacity) : null;
    this.heap = new Uint32Array(capacity);
    this.candidate = new Float64Array(sources.length);
  }

  collect(docs: Uint32Array, scores: Float32Array, count: number): void {
    assert(count <= docs.length, `${count} matches in a batch of ${docs.length}`);
    const fill = this.sources[0]?.fill;
    if (fill === undefined || this.scores !== null) {
      for (let i = 0; i < count; i++) this.offer(docs[i] as number, scores[i] as number);
      return;
    }
    // Few of a batch enter: their first keys are read at once, and tell most of the others apart.
    const { firstKeys } = this;
    fill(docs, count, firstKeys, 0);
    for (let i = 0; i < count; i++) {
      if (this.mayPass(firstKeys[i] as number, docs[i] as number)) this.offer(docs[i] as number, scores[i] as number);
    }
  }

  /** Collects the documents from..from + count - 1, at most a batch, where scores are not read. */
  collectRun(from: number, count: number): void {
    assert(count <= this.firstKeys.length, `${count} documents from ${from} for ${this.firstKeys.length} keys`);
    const fillRun = this.sources[0]?.fillRun;
    if (fillRun === undefined) {
      for (let doc = from; doc < from + count; doc++) this.offer(doc, 0);
      return;
    }
    const { firstKeys } = this;
    fillRun(from, count, firstKeys);
    for (let i = 0; i < count; i++) if (this.mayPass(firstKeys[i] as number, from + i)) this.offer(from + i, 0);
  }

  /** What the first key alone says of a document. */
  private mayPass(key: number, doc: number): boolean {
    if (key > this.limit) return false;
    if (this.size < this.capacity) return true;
    const worst = this.heap[0] as number;
    const last = (this.keys[0] as Float64Array)[worst] as number;
    return key < last || (key === last && (this.keys.length > 1 || doc < (this.docs[worst] as number)));
  }

  /** False when none of the documents with these first keys, from `doc` on, would enter. */
  mayEnter(first: number, last: number, doc: number): boolean {
    const { after, keys, heap, limit } = this;
    // Among equal keys the documents of earlier segments come first.
    if (first > limit || (first === limit && keys.length === 1 && limit !== Number.POSITIVE_INFINITY)) return false;
    if (after.keys !== null && last < (after.keys[0] as number)) return false;
    if (this.size < this.capacity) return true;
    const worst = heap[0] as number;
    const kept = (keys[0] as Float64Array)[worst] as number;
    return first === kept && keys.length === 1 ? doc < (this.docs[worst] as number) : first <= kept;
  }

  private offer(doc: number, score: number): void {
    if (score > this.maxScore) this.maxScore = score;
    const worst = this.size === this.capacity ? (this.heap[0] as number) : -1;
    if (!this.readCandidate(doc, score, worst)) return;
    const slot = worst >= 0 ? worst : this.size;
    for (let k = 0; k < this.keys.length; k++) (this.keys[k] as Float64Array)[slot] = this.candidate[k] as number;
    this.docs[slot] = doc;
    if (this.scores) this.scores[slot] = score;
    if (worst >= 0) this.siftDown(0, slot);
    else {
      this.heap[this.size++] = slot;
      if (this.size === this.capacity) this.makeHeap();
    }
  }

  /** Reads the keys of a document; false as soon as it is clear that it does not enter. */
  private readCandidate(doc: number, score: number, worst: number): boolean {
    const { sources, keys, candidate } = this;
    const after = this.after.keys;
    let isBetter = worst < 0;
    let isBehind = after === null;
    for (let k = 0; k < sources.length; k++) {
      const key = (sources[k] as SegmentKey).key(doc, score);
      candidate[k] = key;
      if (!isBetter) {
        const kept = (keys[k] as Float64Array)[worst] as number;
        if (key > kept) return false;
        if (key < kept) isBetter = true;
      }
      if (!isBehind && after) {
        const last = after[k] as number;
        if (key < last) return false;
        if (key > last) isBehind = true;
      }
    }
    if (!isBetter) isBetter = doc < (this.docs[worst] as number);
    return isBetter && (isBehind || doc > this.after.doc);
  }

  private isAfter(a: number, b: number): boolean {
    for (const keys of this.keys) {
      const x = keys[a] as number;
      const y = keys[b] as number;
      if (x !== y) return x > y;
    }
    return (this.docs[a] as number) > (this.docs[b] as number);
  }

  private makeHeap(): void {
    for (let at = (this.size >> 1) - 1; at >= 0; at--) this.siftDown(at, this.heap[at] as number);
  }

  private siftDown(from: number, slot: number): void {
    const { heap, size } = this;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.isAfter(heap[child + 1] as number, heap[child] as number)) child++;
      if (!this.isAfter(heap[child] as number, slot)) break;
      heap[at] = heap[child] as number;
      at = child;
    }
    heap[at] = slot;
  }

  /** First entry first. */
  finish(docBase: number): SegmentEntries {
    const { sources, docs, scores, size } = this;
    const [keys] = this.keys;
    const packed = keys && this.keys.length === 1 && scores === null ? packedOrder({ docs, keys }, size) : null;
    if (packed) return { sources, docBase, docs: packed.docs, keys: [packed.keys], scores: null };
    const slots = this.heap.subarray(0, size).sort((a, b) => (this.isAfter(a, b) ? 1 : -1));
    return {
      sources,
      docBase,
      docs: pick(docs, slots, new Uint32Array(size)),
      keys: this.keys.map((column) => pick(column, slots, new Float64Array(size))),
      scores: scores && pick(scores, slots, new Float32Array(size)),
    };
  }
}

function pick<Values extends Uint32Array | Float64Array | Float32Array>(
  from: Values,
  slots: Uint32Array,
  into: Values,
): Values {
  for (let i = 0; i < slots.length; i++) into[i] = from[slots[i] as number] as number;
  return into;
}

/**
 * The first N documents of one segment by sort keys, and the merge of several segments' first N.
 */
import { compareColumnEntries, type SortColumn, type SortField } from '@shoal/query';
import type { HitCollector } from './match-walk.ts';
import type { SegmentKey } from './sort-keys.ts';

/** A segment's entries, in order. */
export interface SortedEntries {
  readonly columns: readonly SortColumn[];
  /** Ordinals of the searcher. */
  readonly ords: Uint32Array;
  /** Scores beside the keys; null when they are not wanted. */
  readonly scores: Float32Array | null;
}

/** A heap of slots over flat key arrays, the last entry on top. Documents must be offered in ascending order. */
export class SegmentTop implements HitCollector {
  private readonly sources: readonly SegmentKey[];
  private readonly keys: readonly Float64Array[];
  private readonly docs: Uint32Array;
  private readonly scores: Float32Array | null;
  private readonly heap: Uint32Array;
  private readonly capacity: number;
  /** Entries up to these keys were shown on pages before; null without `search_after`. */
  private readonly after: Float64Array | null;
  private readonly candidate: Float64Array;
  private size = 0;
  /** Highest score offered; -1 before any. */
  maxScore = -1;

  constructor(sources: readonly SegmentKey[], capacity: number, after: Float64Array | null, hasScores: boolean) {
    this.sources = sources;
    this.capacity = capacity;
    this.after = after;
    this.keys = sources.map(() => new Float64Array(capacity));
    this.docs = new Uint32Array(capacity);
    this.scores = hasScores ? new Float32Array(capacity) : null;
    this.heap = new Uint32Array(capacity);
    this.candidate = new Float64Array(sources.length);
  }

  collect(docs: Uint32Array, scores: Float32Array, count: number): void {
    for (let i = 0; i < count; i++) this.offer(docs[i] as number, scores[i] as number);
  }

  private offer(doc: number, score: number): void {
    if (score > this.maxScore) this.maxScore = score;
    const worst = this.size === this.capacity ? (this.heap[0] as number) : -1;
    if (!this.readCandidate(doc, score, worst)) return;
    const slot = worst >= 0 ? worst : this.size;
    for (let k = 0; k < this.keys.length; k++) (this.keys[k] as Float64Array)[slot] = this.candidate[k] as number;
    this.docs[slot] = doc;
    if (this.scores) this.scores[slot] = score;
    if (worst >= 0) this.siftDown(slot, this.size);
    else this.siftUp(slot);
  }

  /** Reads the keys of a document; false as soon as it is clear that it does not enter. */
  private readCandidate(doc: number, score: number, worst: number): boolean {
    const { sources, keys, after, candidate } = this;
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
    return isBetter && isBehind;
  }

  private isAfter(a: number, b: number): boolean {
    for (const keys of this.keys) {
      const x = keys[a] as number;
      const y = keys[b] as number;
      if (x !== y) return x > y;
    }
    return (this.docs[a] as number) > (this.docs[b] as number);
  }

  private siftUp(slot: number): void {
    const { heap } = this;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isAfter(slot, heap[parent] as number)) break;
      heap[at] = heap[parent] as number;
      at = parent;
    }
    heap[at] = slot;
  }

  private siftDown(slot: number, size: number): void {
    const { heap } = this;
    let at = 0;
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
  finish(docBase: number): SortedEntries {
    const slots = this.heap.slice(0, this.size).sort((a, b) => (this.isAfter(a, b) ? 1 : -1));
    const docs = Uint32Array.from(slots, (slot) => this.docs[slot] as number);
    const columns = this.sources.map((source, k) =>
      source.column(
        docs,
        Float64Array.from(slots, (slot) => (this.keys[k] as Float64Array)[slot] as number),
      ),
    );
    const { scores } = this;
    return {
      columns,
      ords: Uint32Array.from(docs, (doc) => doc + docBase),
      scores: scores && Float32Array.from(slots, (slot) => scores[slot] as number),
    };
  }
}

/** The first `topN` of all segments, in order; ties by ordinal. */
export function mergeSorted(
  sort: readonly SortField[],
  segments: readonly SortedEntries[],
  topN: number,
): SortedEntries {
  const filled = segments.filter(({ ords }) => ords.length > 0);
  const [only] = filled;
  if (filled.length === 1 && only) return only;
  const entries: { readonly from: SortedEntries; readonly index: number }[] = [];
  for (const from of filled) for (let index = 0; index < from.ords.length; index++) entries.push({ from, index });
  entries.sort(
    (a, b) =>
      compareColumnEntries(sort, a.from.columns, a.index, b.from.columns, b.index) ||
      (a.from.ords[a.index] as number) - (b.from.ords[b.index] as number),
  );
  const kept = entries.slice(0, topN);
  const hasScores = filled.some(({ scores }) => scores !== null);
  return {
    columns: sort.map((_, k) => gather(kept.map(({ from, index }) => ({ column: from.columns[k], index })))),
    ords: Uint32Array.from(kept, ({ from, index }) => from.ords[index] as number),
    scores: hasScores ? Float32Array.from(kept, ({ from, index }) => from.scores?.[index] ?? 0) : null,
  };
}

type Pick = { readonly column: SortColumn | undefined; readonly index: number };

/** One column of picked values. Longs beyond 2^53 in one segment make the whole column one of bigints. */
function gather(picks: readonly Pick[]): SortColumn {
  const columns = picks.flatMap(({ column }) => (column ? [column] : []));
  const kinds = new Set(columns.map(({ kind }) => kind));
  if (kinds.has('string')) return gatherStrings(picks);
  const numbers = () =>
    picks.map(({ column, index }) => (column && column.kind !== 'string' ? (column.values[index] ?? 0) : 0));
  if (kinds.has('bigint')) return { kind: 'bigint', values: BigInt64Array.from(numbers(), BigInt) };
  const values = numbers().map(Number);
  if (kinds.has('score')) return { kind: 'score', values: Float32Array.from(values) };
  return { kind: kinds.has('double') ? 'double' : 'integer', values: Float64Array.from(values) };
}

function gatherStrings(picks: readonly Pick[]): SortColumn {
  const offsets = new Uint32Array(picks.length + 1);
  const missing = new Uint8Array(picks.length);
  const parts = picks.map(({ column, index }, i) => {
    if (column?.kind !== 'string') return new Uint8Array(0);
    missing[i] = column.missing[index] ?? 0;
    return column.bytes.subarray(column.offsets[index], column.offsets[index + 1]);
  });
  parts.forEach((part, i) => {
    offsets[i + 1] = (offsets[i] ?? 0) + part.length;
  });
  return { kind: 'string', offsets, bytes: Buffer.concat(parts), missing };
}

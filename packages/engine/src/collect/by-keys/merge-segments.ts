/**
 * The first N entries of all segments of a shard: a merge of their sorted entries, with values instead of keys.
 *
 * Keys of different segments cannot be compared, values can. They are read in stretches and only as far as the merge
 * gets, so that a page far back costs its entries once and not once a segment.
 */

import { assert } from '@shoal/core';
import type { SortField } from '@shoal/query';
import { compareColumnEntries, type SortColumn, shownOf, wholeColumn } from '@shoal/shard-api';
import type { SegmentEntries } from './top-sorted.ts';

/** The entries of a shard, in order. */
export interface SortedEntries {
  readonly columns: readonly SortColumn[];
  /** Ordinals of the searcher. */
  readonly ords: Uint32Array;
  /** Scores beside the keys; null when they are not wanted. */
  readonly scores: Float32Array | null;
}

/** Entries whose values are read at once. */
const STRETCH = 256;

/** The first `topN` of all segments, in order; ties by ordinal. */
export function mergeSegments(
  sort: readonly SortField[],
  segments: readonly SegmentEntries[],
  topN: number,
): SortedEntries {
  const filled = segments.filter(({ docs }) => docs.length > 0);
  for (const [i, { sources, keys, docs, docBase }] of filled.entries()) {
    assert(keys.length === sources.length, `${keys.length} key columns of ${sources.length} keys`);
    assert(
      keys.every((column) => column.length === docs.length),
      `${keys[0]?.length} keys of ${docs.length} entries`,
    );
    const before = filled[i - 1]?.docBase ?? -1;
    assert(docBase > before, `a segment from ordinal ${docBase} behind one from ${before}`);
  }
  const [only] = filled;
  if (filled.length === 1 && only) return wholeSegment(only, topN);
  const available = filled.reduce((sum, { docs }) => sum + docs.length, 0);
  const count = Math.min(topN, available);
  const cursors = filled.map((entries) => new SegmentCursor(entries));
  const gathered = new GatheredColumns(sort.length, count);
  const ords = new Uint32Array(count);
  const scores = filled.some((entries) => entries.scores !== null) ? new Float32Array(count) : null;
  for (let i = 0; i < count; i++) {
    const next = firstOf(sort, cursors);
    if (next === null) break;
    gathered.take(next.columns, next.at);
    ords[i] = next.ord;
    if (scores) scores[i] = next.score;
    next.advance();
  }
  return { columns: gathered.finish(), ords, scores };
}

function wholeSegment({ sources, docs, docBase, keys, scores }: SegmentEntries, topN: number): SortedEntries {
  const kept = docs.subarray(0, topN);
  return {
    columns: sources.map((source, k) => source.column(kept, (keys[k] as Float64Array).subarray(0, topN))),
    ords: Uint32Array.from(kept, (doc) => doc + docBase),
    scores: scores === null ? null : scores.slice(0, topN),
  };
}

/** The cursor that stands on the first entry. Segments are few: a scan of them beats a heap. */
function firstOf(sort: readonly SortField[], cursors: readonly SegmentCursor[]): SegmentCursor | null {
  let first: SegmentCursor | null = null;
  for (const cursor of cursors) {
    if (cursor.isAtEnd) continue;
    // Segments are in the order of their ordinals, so that the earlier one wins a tie.
    if (first === null || compareColumnEntries(sort, cursor.columns, cursor.at, first.columns, first.at) < 0) {
      first = cursor;
    }
  }
  return first;
}

class SegmentCursor {
  /** Values of the current stretch, and the current entry in it. */
  columns: readonly SortColumn[] = [];
  at = 0;
  private readonly entries: SegmentEntries;
  private position = 0;

  constructor(entries: SegmentEntries) {
    this.entries = entries;
    this.readStretch();
  }

  get isAtEnd(): boolean {
    return this.position >= this.entries.docs.length;
  }

  get ord(): number {
    return (this.entries.docs[this.position] as number) + this.entries.docBase;
  }

  get score(): number {
    return this.entries.scores?.[this.position] ?? 0;
  }

  advance(): void {
    this.position++;
    if (++this.at === STRETCH && !this.isAtEnd) this.readStretch();
  }

  private readStretch(): void {
    const { sources, docs, keys } = this.entries;
    const to = this.position + STRETCH;
    const stretch = docs.subarray(this.position, to);
    this.columns = sources.map((source, k) =>
      source.column(stretch, (keys[k] as Float64Array).subarray(this.position, to)),
    );
    this.at = 0;
  }
}

/** Columns of picked entries. Which kind a column is shows when all were seen: segments may differ. */
export class GatheredColumns {
  private readonly count: number;
  private readonly from: SortColumn[][];
  private readonly indices: Uint32Array;
  private size = 0;

  constructor(columnCount: number, count: number) {
    this.count = count;
    this.from = Array.from({ length: columnCount }, () => []);
    this.indices = new Uint32Array(count);
  }

  take(columns: readonly SortColumn[], index: number): void {
    this.indices[this.size++] = index;
    for (let k = 0; k < this.from.length; k++) (this.from[k] as SortColumn[]).push(columns[k] as SortColumn);
  }

  finish(): readonly SortColumn[] {
    assert(this.size === this.count, `${this.size} of ${this.count} entries were gathered`);
    return this.from.map((picked) => this.column(picked));
  }

  /** Longs beyond 2^53 in one segment make the whole column one of bigints. */
  private column(picked: readonly SortColumn[]): SortColumn {
    const kinds = new Set(picked.map(({ kind }) => kind));
    if (kinds.has('string')) return this.strings(picked);
    const value = (column: SortColumn, i: number): number | bigint =>
      column.kind === 'string' ? 0 : (column.values[this.indices[i] as number] ?? 0);
    if (kinds.has('bigint') || kinds.has('unsigned')) return wholeColumn(picked.map(value));
    const numbers = new Float64Array(this.count);
    picked.forEach((column, i) => {
      numbers[i] = Number(value(column, i));
    });
    if (kinds.has('score')) return { kind: 'score', values: Float32Array.from(numbers) };
    return { kind: kinds.has('double') ? 'double' : 'integer', values: numbers };
  }

  private strings(picked: readonly SortColumn[]): SortColumn {
    const { indices } = this;
    const offsets = new Uint32Array(this.count + 1);
    const missing = new Uint8Array(this.count);
    picked.forEach((column, i) => {
      const at = indices[i] as number;
      const length = column.kind === 'string' ? (column.offsets[at + 1] ?? 0) - (column.offsets[at] ?? 0) : 0;
      if (column.kind === 'string') missing[i] = column.missing[at] ?? 0;
      offsets[i + 1] = (offsets[i] as number) + length;
    });
    const bytes = new Uint8Array(offsets[this.count] as number);
    picked.forEach((column, i) => {
      if (column.kind === 'string')
        copyBytes(column.bytes, column.offsets[indices[i] as number] ?? 0, bytes, offsets, i);
    });
    return { kind: 'string', shown: shownOf(picked), offsets, bytes, missing };
  }
}

/** Byte by byte: values are short, and a view of each would cost more. */
function copyBytes(from: Uint8Array, start: number, into: Uint8Array, offsets: Uint32Array, i: number): void {
  const at = offsets[i] as number;
  const length = (offsets[i + 1] as number) - at;
  for (let b = 0; b < length; b++) into[at + b] = from[start + b] as number;
}

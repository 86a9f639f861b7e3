/**
 * Values that the documents of one segment are sorted by in an index with an index sort, one for each document.
 */
import { assert } from '@shoal/core';
import type { IndexSortKey, Mapping } from '@shoal/schema';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import type { FlatSegment } from '../../format/flat-segment.ts';
import type { NumericColumn, OrdinalColumn } from '../../format/reader/segment-reader.ts';

/** Sort key of an index with its field in segments. */
export interface DocSortKey extends Omit<IndexSortKey, 'field'> {
  readonly path: string;
}

/** Sort keys of an index whose mapping has their fields. */
export function docSort(mapping: Mapping, sort: readonly IndexSortKey[]): readonly DocSortKey[] {
  return sort.map(({ field: name, ...key }) => {
    const field = mapping.named.get(name);
    assert(field !== undefined, `documents are sorted by [${name}], which is no field`);
    return { ...key, path: field.path };
  });
}

export interface SortColumn {
  has(doc: number): boolean;
  /** Order of the value of a document and that of another one of the same field, which may be in another segment. */
  compare(doc: number, other: SortColumn, otherDoc: number): number;
}

/** Documents between two yields: a millisecond of work or less. */
const DOCS_PER_STEP = 32_768;

const NO_VALUES: SortColumn = { has: () => false, compare: () => 0 };

export function* sortColumn(segment: FlatSegment, { path, mode }: DocSortKey): Generator<void, SortColumn> {
  const into = columnOf(segment, path);
  if (into === null) return NO_VALUES;
  for (let doc = 0; doc < segment.docCount; doc++) {
    const start = into.column.start(doc);
    const end = into.column.start(doc + 1);
    if (start < end) into.take(doc, mode === 'min' ? start : end - 1);
    if (doc % DOCS_PER_STEP === DOCS_PER_STEP - 1) yield;
  }
  return into;
}

/** Column without values, to be filled; null where the segment has none of the field. */
function columnOf(segment: FlatSegment, path: string): NumberColumn | WideColumn | TermColumn | null {
  const { docCount } = segment;
  const numbers = segment.numericColumn(path);
  if (numbers !== null) return numbers.isWide ? new WideColumn(numbers, docCount) : new NumberColumn(numbers, docCount);
  const terms = segment.writtenOrdinals(path);
  return terms === null ? null : new TermColumn(terms, docCount);
}

class NumberColumn implements SortColumn {
  readonly column: NumericColumn;
  /** Value of each document; NaN without one. */
  private readonly values: Float64Array;

  constructor(column: NumericColumn, docCount: number) {
    this.column = column;
    this.values = new Float64Array(docCount).fill(Number.NaN);
  }

  take(doc: number, at: number): void {
    this.values[doc] = this.column.value(at);
  }

  has(doc: number): boolean {
    return !Number.isNaN(this.values[doc]);
  }

  valueOf(doc: number): number {
    return this.values[doc] as number;
  }

  compare(doc: number, other: SortColumn, otherDoc: number): number {
    return order(this.valueOf(doc), valueIn(other, otherDoc));
  }
}

/** Whole numbers of which some are beyond what a double holds exactly. */
class WideColumn implements SortColumn {
  readonly column: NumericColumn;
  /** Index of the value of each document; -1 without one. */
  private readonly positions: Int32Array;

  constructor(column: NumericColumn, docCount: number) {
    this.column = column;
    this.positions = new Int32Array(docCount).fill(-1);
  }

  take(doc: number, at: number): void {
    this.positions[doc] = at;
  }

  has(doc: number): boolean {
    return (this.positions[doc] as number) >= 0;
  }

  valueOf(doc: number): bigint {
    return this.column.bigValue(this.positions[doc] as number);
  }

  compare(doc: number, other: SortColumn, otherDoc: number): number {
    return order(this.valueOf(doc), valueIn(other, otherDoc));
  }
}

function valueIn(column: SortColumn, doc: number): number | bigint {
  return column instanceof NumberColumn || column instanceof WideColumn ? column.valueOf(doc) : Number.NaN;
}

function order(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

class TermColumn implements SortColumn {
  readonly column: OrdinalColumn;
  /** Ordinal of each document; -1 without one. */
  private readonly ordinals: Int32Array;

  constructor(column: OrdinalColumn, docCount: number) {
    this.column = column;
    this.ordinals = new Int32Array(docCount).fill(-1);
  }

  take(doc: number, at: number): void {
    this.ordinals[doc] = this.column.ordinal(at);
  }

  has(doc: number): boolean {
    return (this.ordinals[doc] as number) >= 0;
  }

  compare(doc: number, other: SortColumn, otherDoc: number): number {
    const ordinal = this.ordinals[doc] as number;
    if (!(other instanceof TermColumn)) return 0;
    const otherOrdinal = other.ordinals[otherDoc] as number;
    if (other === this) return ordinal - otherOrdinal;
    const value = this.column.value(ordinal);
    return compareBytes(value, 0, value.length, other.column.value(otherOrdinal));
  }
}

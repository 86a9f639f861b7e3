/**
 * How the values of a segment's column are numbered: which column it is, and which number a value has.
 */
import type { NumericColumn } from '../../../format/reader/segment-reader.ts';

/** A segment's column of numbers, and the value that stands for none in it. */
export interface ValueColumn {
  readonly column: NumericColumn | null;
  /** NaN: documents without a value are left out. */
  readonly missing: number;
  readonly docCount: number;
}

/** How values are numbered. */
export interface Numbering {
  readonly size: number;
  key(number: number): number;
  /** Numbers of the values; all must be within the column's least and largest. */
  numbers(values: Float64Array, count: number, into: Uint32Array): void;
}

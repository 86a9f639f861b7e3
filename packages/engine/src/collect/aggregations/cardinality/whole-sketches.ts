/**
 * Sketches of all values of a column, for searches that see each of them, as those over all documents do.
 *
 * A column never changes. One is kept only once every value was seen in a document, so that whoever sees all documents of the segment is
 * known to see all values without reading them. It goes with its column, and takes at most 16 kB: those of a thread at most 4 MB.
 */
import type { HyperLogLog } from '@shoal/aggregations';
import { assert, RecentByObject } from '@shoal/core';
import type { OrdinalColumn } from '../../../format/reader/segment-reader.ts';

/** Columns of fewer values are hashed as soon. */
const VALUES_MIN = 256;
/** Highest precision of a sketch that is kept: 2^14 bytes. */
const PRECISION_KEPT_MAX = 14;

/** Columns of a thread whose sketches are kept. */
const COLUMNS_MAX = 256;

/** The sketch of the precision that was asked for first or last; there is mostly one. */
const SKETCHES = new RecentByObject<OrdinalColumn, HyperLogLog>(COLUMNS_MAX);

/** Not to be added to. null: not known. */
export function wholeSketch(column: OrdinalColumn | null, precision: number): HyperLogLog | null {
  const sketch = column === null ? undefined : SKETCHES.get(column);
  return sketch !== undefined && sketch.precision === precision ? sketch : null;
}

/** Keeps the sketch of all values of a column, of which each was seen; nobody may add to it afterwards. */
export function keepWholeSketch(column: OrdinalColumn, sketch: HyperLogLog): void {
  assert(sketch.sizeBytes > 0, `a sketch of ${column.valueCount} values is empty`);
  if (column.valueCount < VALUES_MIN || sketch.precision > PRECISION_KEPT_MAX) return;
  SKETCHES.set(column, sketch);
}

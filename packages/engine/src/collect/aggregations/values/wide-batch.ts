/**
 * Values of a column with longs beyond 2^53 for the documents of a batch, each exact.
 *
 * A value that a double holds exactly is a number, any other a bigint: the same value has the same form in every segment,
 * whether its column is wide or not.
 */

import type { BucketKey } from '@shoal/aggregations';
import { asInteger } from '@shoal/core';
import type { NumericColumn } from '../../../format/reader/segment-reader.ts';
import type { DocBatch } from '../collector/doc-batch.ts';

export class WideBatch {
  /** Position in the batch of the document that value i belongs to; ascending. */
  readonly positions: number[] = [];
  readonly values: BucketKey[] = [];

  get length(): number {
    return this.values.length;
  }

  /** The values of the batch; `missing` is null where documents without one are left out. */
  read(column: NumericColumn, { docs, count }: DocBatch, missing: BucketKey | null): void {
    this.positions.length = 0;
    this.values.length = 0;
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const from = column.start(doc);
      const to = column.start(doc + 1);
      if (from === to && missing !== null) this.put(i, missing);
      for (let at = from; at < to; at++) this.put(i, asInteger(column.bigValue(at)));
    }
  }

  private put(position: number, value: BucketKey): void {
    this.positions.push(position);
    this.values.push(value);
  }
}

/**
 * Documents whose keyword lies in a run of the field's sorted values, found in its column.
 *
 * A long run of terms has as many postings lists as values; one pass over the column is cheaper than opening them all.
 */
import { assert } from '@shoal/core';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import { NO_MORE_DOCS, type OrdinalColumn } from '../../format/reader/segment-reader.ts';
import type { DocIterator } from '../weight/doc-iterator.ts';

/** First ordinal whose value is >= `value`; `valueCount` when none is. */
export function ordinalCeiling(column: OrdinalColumn, value: Uint8Array): number {
  let low = 0;
  let high = column.valueCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = column.value(middle);
    if (compareBytes(at, 0, at.length, value) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Documents with a value whose ordinal is `from` inclusive to `to` exclusive. */
export class OrdinalRange implements DocIterator {
  doc = -1;
  readonly cost: number;
  private readonly column: OrdinalColumn;
  private readonly from: number;
  private readonly to: number;
  private readonly docCount: number;

  constructor(column: OrdinalColumn, range: { readonly from: number; readonly to: number }, docCount: number) {
    assert(
      range.from <= range.to && range.to <= column.valueCount,
      `ordinals ${range.from}..${range.to} of ${column.valueCount} values`,
    );
    this.column = column;
    this.from = range.from;
    this.to = range.to;
    this.docCount = docCount;
    this.cost = docCount;
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const { column, from, to, docCount } = this;
    if (target >= docCount) return (this.doc = NO_MORE_DOCS);
    let index = column.start(target);
    for (let doc = target; doc < docCount; doc++) {
      const end = column.start(doc + 1);
      for (; index < end; index++) {
        const ordinal = column.ordinal(index);
        if (ordinal >= from && ordinal < to) return (this.doc = doc);
      }
    }
    return (this.doc = NO_MORE_DOCS);
  }
}

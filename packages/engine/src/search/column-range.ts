/**
 * Documents whose number lies in a range, found in the field's column.
 *
 * Bounds are inclusive and already whole for longs. Columns beyond 2^53 compare as bigints.
 */
import { NO_MORE_DOCS, type NumericColumn, type SegmentView } from '../segment/segment-reader.ts';
import type { DocIterator } from './scorer.ts';

/** Inclusive; bigints only for longs, which may be beyond 2^53. */
export interface NumberBounds {
  readonly from: number | bigint;
  readonly to: number | bigint;
}

export function docsOfNumberRange(view: SegmentView, field: string, bounds: NumberBounds): DocIterator | null {
  const column = view.segment.numericColumn(field);
  if (!column || bounds.from > bounds.to) return null;
  if (!column.isWide && (bounds.from > column.max || bounds.to < column.min)) return null;
  const { docCount } = view.segment;
  if (column.isWide) return new WideRange(column, bounds, docCount);
  return new NumberRange(column, Number(bounds.from), Number(bounds.to), docCount);
}

class NumberRange implements DocIterator {
  doc = -1;
  readonly cost: number;
  private readonly column: NumericColumn;
  private readonly from: number;
  private readonly to: number;
  private readonly docCount: number;

  constructor(column: NumericColumn, from: number, to: number, docCount: number) {
    this.column = column;
    this.from = from;
    this.to = to;
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
        const value = column.value(index);
        if (value >= from && value <= to) return (this.doc = doc);
      }
    }
    return (this.doc = NO_MORE_DOCS);
  }
}

class WideRange implements DocIterator {
  doc = -1;
  readonly cost: number;
  private readonly column: NumericColumn;
  private readonly bounds: NumberBounds;

  constructor(column: NumericColumn, bounds: NumberBounds, docCount: number) {
    this.column = column;
    this.bounds = bounds;
    this.cost = docCount;
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const { column, bounds } = this;
    for (let doc = target; doc < this.cost; doc++) {
      const end = column.start(doc + 1);
      for (let index = column.start(doc); index < end; index++) {
        const value = column.bigValue(index);
        if (value >= bounds.from && value <= bounds.to) return (this.doc = doc);
      }
    }
    return (this.doc = NO_MORE_DOCS);
  }
}

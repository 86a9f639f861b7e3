/**
 * Documents whose number is one of many, found in one pass over the field's column.
 *
 * Values are ranges (a date may stand for a whole day); sorted and joined, so that each document's number is sought in
 * them and not they in all documents.
 */
import { NO_MORE_DOCS, type NumericColumn, type SegmentView } from '../segment/segment-reader.ts';
import type { NumberBounds } from './column-range.ts';
import { docsOfNumberRange } from './column-range.ts';
import type { DocIterator } from './scorer.ts';

/** @param values null: a value that no document can have */
export function docsOfAnyNumber(
  field: string,
  values: readonly (NumberBounds | null)[],
): (view: SegmentView) => DocIterator | null {
  const ranges = joinedRanges(values.filter((bounds) => bounds !== null));
  const [only] = ranges;
  return (view) => {
    if (!only) return null;
    if (ranges.length === 1) return docsOfNumberRange(view, field, only);
    const column = view.segment.numericColumn(field);
    return column && new NumberSet(column, ranges, view.segment.docCount);
  };
}

function joinedRanges(values: readonly NumberBounds[]): NumberBounds[] {
  const sorted = [...values].sort((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  const joined: NumberBounds[] = [];
  for (const bounds of sorted) {
    const last = joined.at(-1);
    if (!last || bounds.from > last.to) joined.push(bounds);
    else if (bounds.to > last.to) joined[joined.length - 1] = { from: last.from, to: bounds.to };
  }
  return joined;
}

class NumberSet implements DocIterator {
  doc = -1;
  readonly cost: number;
  private readonly column: NumericColumn;
  private readonly ranges: readonly NumberBounds[];

  constructor(column: NumericColumn, ranges: readonly NumberBounds[], docCount: number) {
    this.column = column;
    this.ranges = ranges;
    this.cost = docCount;
  }

  next(): number {
    return this.advance(this.doc + 1);
  }

  advance(target: number): number {
    const { column, cost } = this;
    for (let doc = target; doc < cost; doc++) {
      const end = column.start(doc + 1);
      for (let index = column.start(doc); index < end; index++) {
        if (this.holds(column.isWide ? column.bigValue(index) : column.value(index))) return (this.doc = doc);
      }
    }
    return (this.doc = NO_MORE_DOCS);
  }

  /** Whether the last range that begins at or before the value reaches it. */
  private holds(value: number | bigint): boolean {
    const { ranges } = this;
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ranges[middle] as NumberBounds).from <= value) low = middle + 1;
      else high = middle;
    }
    return low > 0 && value <= (ranges[low - 1] as NumberBounds).to;
  }
}

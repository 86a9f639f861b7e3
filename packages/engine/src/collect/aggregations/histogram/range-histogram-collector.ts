/**
 * `histogram` and `date_histogram` over ranges: a document is in every interval that one of its ranges touches.
 */
import { ShoalError } from '@shoal/core';
import type { RangeReader } from '../../../field-types/contract/field-type.ts';
import type { OrdinalColumn } from '../../../format/reader/segment-reader.ts';
import type { ValueIntervals } from '../values/value-intervals.ts';
import { ColumnHistogramCollector, type ColumnHistogramOptions } from './column-histogram-collector.ts';

/** Most intervals of all documents of a shard: an open range in narrow intervals touches billions. */
const INTERVALS_MAX = 1_000_000;

export interface RangeHistogramOptions extends ColumnHistogramOptions {
  readonly ranges: RangeReader;
}

export class RangeHistogramCollector extends ColumnHistogramCollector {
  private readonly options: RangeHistogramOptions;

  constructor(options: RangeHistogramOptions) {
    super(options);
    this.options = options;
  }

  /** The ranges of a document ascend by their starts, so that an interval behind the last one was not counted yet. */
  protected collectOne(column: OrdinalColumn, doc: number, parent: number): void {
    const { intervals, ranges, span } = this.options;
    let last = Number.NEGATIVE_INFINITY;
    for (let at = column.start(doc); at < column.start(doc + 1); at++) {
      const range = ranges.read(column.value(column.ordinal(at)));
      let key = intervals.round(Math.max(range.from, span.least));
      const end = intervals.round(Math.min(range.to, span.most));
      while (key <= end) {
        if (key > last) {
          this.checkRoom();
          this.buckets.add(doc, parent, key);
          last = key;
        }
        const next = nextKey(intervals, key);
        if (next <= key) throw tooMany();
        key = next;
      }
    }
  }

  private checkRoom(): void {
    if (this.buckets.ids.count >= INTERVALS_MAX) throw tooMany();
  }
}

/** Start of the interval behind the one that starts at `key`. */
function nextKey(intervals: ValueIntervals, key: number): number {
  return intervals.kind === 'calendar' ? intervals.next(key) : intervals.round(key + intervals.step);
}

/** 429: what the intervals of an open range take would be more than any request may. */
function tooMany(): ShoalError {
  return new ShoalError(
    'circuit_breaking_exception',
    429,
    `[request] Data too large: ranges touch more than [${INTERVALS_MAX}] intervals of a histogram; [hard_bounds] cut them`,
    { metadata: { durability: 'TRANSIENT' } },
  );
}

/**
 * Values of a segment's column to small numbers without a hash, where the keys they fall under are few: counting is then one
 * array, and a key is made for each number alone.
 *
 * What is numbered is decided by the column's least and largest value. Where those span too much there is no such index, and
 * keys are looked up one by one.
 */
import { type DateHistogramAggregation, DateRounding, type HistogramAggregation } from '@shoal/aggregations';
import type { NumericColumn } from '../segment/segment-reader.ts';

/** Numbers of an index at most, whatever the size of the segment. */
const SIZE_MAX = 1 << 22;
/** Numbers of an index that any segment may have. */
const SIZE_FREE = 4_096;

export interface KeyIndex {
  /** Every number is below. */
  readonly size: number;
  /** Numbers of the values; all must be within the column's least and largest. */
  numbers(values: Float64Array, count: number, into: Int32Array): void;
  key(number: number): number;
}

export interface ValueSpan {
  readonly least: number;
  readonly most: number;
  readonly docCount: number;
}

/** null where the column's values cannot be numbered. `missing`: what takes the place of no value, or NaN. */
export function spanOf(column: NumericColumn | null, missing: number, docCount: number): ValueSpan | null {
  if (column === null || column.isWide) return null;
  const least = Number.isNaN(missing) ? column.min : Math.min(column.min, missing);
  const most = Number.isNaN(missing) ? column.max : Math.max(column.max, missing);
  if (!Number.isFinite(least) || !Number.isFinite(most)) return null;
  return { least, most, docCount };
}

function fits(size: number, docCount: number): boolean {
  return size <= SIZE_FREE || (size <= SIZE_MAX && size <= docCount * 2);
}

/** Whole numbers, each a key of its own. */
export function wholeNumbers({ least, most, docCount }: ValueSpan): KeyIndex | null {
  const size = most - least + 1;
  if (!Number.isSafeInteger(least) || !Number.isSafeInteger(most) || !fits(size, docCount)) return null;
  return {
    size,
    key: (number) => least + number,
    numbers: (values, count, into) => {
      for (let i = 0; i < count; i++) into[i] = (values[i] as number) - least;
    },
  };
}

/** Keys of a histogram. */
export function intervalIndex(
  aggregation: Pick<HistogramAggregation | DateHistogramAggregation, 'kind' | 'interval'>,
  offset: number,
  span: ValueSpan,
): KeyIndex | null {
  if (aggregation.kind === 'histogram') return equalSteps(aggregation.interval as number, offset, span);
  const rounding = new DateRounding((aggregation as DateHistogramAggregation).interval);
  const { fixedStepMs } = rounding;
  if (fixedStepMs !== null) return equalSteps(fixedStepMs, rounding.offsetMs, span);
  return calendarSteps(rounding, span);
}

/** The same arithmetic as rounding has: the quotient, rounded down. */
function equalSteps(step: number, offset: number, { least, most, docCount }: ValueSpan): KeyIndex | null {
  const first = Math.floor((least - offset) / step);
  const size = Math.floor((most - offset) / step) - first + 1;
  if (!Number.isSafeInteger(first) || !fits(size, docCount)) return null;
  return {
    size,
    key: (number) => (first + number) * step + offset,
    numbers: (values, count, into) => {
      for (let i = 0; i < count; i++) into[i] = Math.floor(((values[i] as number) - offset) / step) - first;
    },
  };
}

/** Cells of the table that leads to the stretches of a calendar, for each stretch. */
const CELLS_PER_STRETCH = 64;
/** So that the table stays in the processor's cache. */
const CELLS_MAX = 16_384;

/** Stretches of unequal length: a table of equal cells says where to begin to look. */
function calendarSteps(rounding: DateRounding, { least, most, docCount }: ValueSpan): KeyIndex | null {
  const starts: number[] = [];
  for (let start = rounding.round(least); start <= most; ) {
    starts.push(start);
    if (starts.length > SIZE_FREE && !fits(starts.length, docCount / 8)) return null;
    const next = rounding.next(start);
    if (next <= start) return null;
    start = next;
  }
  const size = starts.length;
  const ends = Float64Array.from({ length: size }, (_, i) => starts[i + 1] ?? Number.POSITIVE_INFINITY);
  const cells = Math.max(size, Math.min(size * CELLS_PER_STRETCH, CELLS_MAX));
  const perMs = cells / (most - least + 1);
  const firsts = new Int32Array(cells + 1);
  for (let cell = 0, at = 0; cell <= cells; cell++) {
    while (at + 1 < size && (ends[at] as number) <= least + cell / perMs) at++;
    // One cell may be off by rounding: the look-up only goes forward.
    firsts[cell] = Math.max(0, at - 1);
  }
  return {
    size,
    key: (number) => starts[number] ?? 0,
    numbers: (values, count, into) => {
      for (let i = 0; i < count; i++) {
        const value = values[i] as number;
        let at = firsts[Math.trunc((value - least) * perMs)] as number;
        while ((ends[at] as number) <= value) at++;
        into[i] = at;
      }
    },
  };
}

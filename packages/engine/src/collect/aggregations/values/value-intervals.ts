/**
 * Intervals that values are rounded down to: equal steps, or units of a calendar.
 */
import { type DateInterval, DateRounding } from '@shoal/aggregations';
import { assert } from '@shoal/core';

export interface EqualIntervals {
  readonly kind: 'equal';
  readonly step: number;
  readonly offset: number;
  /** Start of the interval that holds a value. */
  round(value: number): number;
}

export interface CalendarIntervals {
  readonly kind: 'calendar';
  /** Start of the interval that holds an instant. */
  round(ms: number): number;
  /** Start of the interval after the one that starts at `start`. */
  next(start: number): number;
}

export type ValueIntervals = EqualIntervals | CalendarIntervals;

export function equalIntervals(step: number, offset: number): EqualIntervals {
  assert(step > 0, `intervals of ${step}`);
  return { kind: 'equal', step, offset, round: (value) => Math.floor((value - offset) / step) * step + offset };
}

export function dateIntervals(interval: DateInterval): ValueIntervals {
  const rounding = new DateRounding(interval);
  const { fixedStepMs } = rounding;
  if (fixedStepMs !== null) return equalIntervals(fixedStepMs, rounding.offset);
  return { kind: 'calendar', round: (ms) => rounding.round(ms), next: (start) => rounding.next(start) };
}

/** Rounds values to keys; caches the interval of the last one, since neighbours tend to share it. */
export class IntervalRounding {
  private readonly intervals: ValueIntervals;
  private low = Number.POSITIVE_INFINITY;
  private high = Number.NEGATIVE_INFINITY;
  private key = 0;

  constructor(intervals: ValueIntervals) {
    this.intervals = intervals;
  }

  round(value: number): number {
    if (value >= this.low && value < this.high) return this.key;
    const { intervals } = this;
    const key = intervals.round(value);
    // Equal steps need no cache: rounding is one division.
    if (intervals.kind === 'calendar') {
      this.low = key;
      this.high = intervals.next(key);
      this.key = key;
    }
    return key;
  }
}

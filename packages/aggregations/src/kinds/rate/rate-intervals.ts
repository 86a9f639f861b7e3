/**
 * Intervals of time around rates: those of the nearest date histogram, or of the one date source of a composite.
 */
import { assert, illegalArgument } from '@shoal/core';
import type { CalendarUnit, DateInterval } from '../../intervals/date-interval.ts';
import { DateRounding } from '../../intervals/date-rounding.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import type { CompositeAggregation } from '../composite/composite-request.ts';
import type { DateHistogramAggregation } from '../date-histogram/date-histogram-request.ts';
import type { RateAggregation } from './rate-request.ts';

const SECOND_MS = 1_000;

/** Size of a unit: a fixed one in milliseconds, else in months. */
const UNITS: Readonly<Record<CalendarUnit, { readonly ms: number } | { readonly months: number }>> = {
  second: { ms: SECOND_MS },
  minute: { ms: 60 * SECOND_MS },
  hour: { ms: 3_600 * SECOND_MS },
  day: { ms: 86_400 * SECOND_MS },
  week: { ms: 7 * 86_400 * SECOND_MS },
  month: { months: 1 },
  quarter: { months: 3 },
  year: { months: 12 },
};

/** Intervals that buckets of an aggregation are. */
export interface BucketIntervals {
  readonly interval: DateInterval;
  /** Start of the interval of a bucket's key; null for a bucket of the documents without a date. */
  startOf(key: unknown): number | null;
}

/** Intervals of an aggregation's buckets; null where they are none. */
export function intervalsOf(aggregation: AggregationNode): BucketIntervals | null {
  if (isDateHistogram(aggregation)) return { interval: aggregation.interval, startOf: startIn };
  if (!isComposite(aggregation)) return null;
  const dates = aggregation.sources.flatMap((source, at) => (source.kind === 'dateHistogram' ? [{ source, at }] : []));
  const [only] = dates;
  if (only === undefined || dates.length > 1) return null;
  return {
    interval: only.source.interval,
    startOf: (key) => (Array.isArray(key) ? startIn(key[only.at]) : null),
  };
}

function startIn(key: unknown): number | null {
  return typeof key === 'number' ? key : null;
}

function isDateHistogram(node: AggregationNode): node is DateHistogramAggregation {
  return node.kind === 'dateHistogram';
}

function isComposite(node: AggregationNode): node is CompositeAggregation {
  return node.kind === 'composite';
}

/** @throws ShoalError for a rate outside of intervals, or in such as its unit has no size in */
export function checkRateParents({ unit }: RateAggregation, parents: readonly AggregationNode[]): void {
  const around = parents.findLast((parent) => intervalsOf(parent) !== null);
  const step = around === undefined ? undefined : intervalsOf(around)?.interval.step;
  if (step === undefined) throw illegalArgument('The rate aggregation can only be used inside a date histogram');
  if (unit === null || 'ms' in UNITS[unit]) return;
  const supported = 'only week, day, hour, minute and second are supported for this histogram';
  if (typeof step === 'number') {
    throw illegalArgument(
      `Cannot use month-based rate unit [${unit}] with fixed interval based histogram, ${supported}`,
    );
  }
  if ('months' in UNITS[step]) return;
  throw illegalArgument(
    `Cannot use month-based rate unit [${unit}] with non-month based calendar interval histogram [${step}] ${supported}`,
  );
}

/** How many units an interval that starts at an instant has; without a unit the interval is one. */
export function unitsIn(unit: CalendarUnit | null, interval: DateInterval, start: number): number {
  if (unit === null) return 1;
  const [wanted, { step }] = [UNITS[unit], interval];
  if (typeof step === 'number') return 'ms' in wanted ? step / wanted.ms : unsized(unit, interval);
  const size = UNITS[step];
  if ('ms' in size) return 'ms' in wanted ? size.ms / wanted.ms : unsized(unit, interval);
  return 'months' in wanted
    ? size.months / wanted.months
    : (new DateRounding(interval).next(start) - start) / wanted.ms;
}

function unsized(unit: CalendarUnit, { step }: DateInterval): never {
  assert(false, `no interval of [${step}] has a size in units of a ${unit}, and such requests are refused`);
}

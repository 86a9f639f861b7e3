/**
 * Bounds of histograms as keys of buckets: dates are read with their math, and both ends fall into their intervals.
 */
import { illegalArgument } from '@shoal/core';
import type { QueryValue } from '@shoal/query';
import { type DateMathClock, dateFormatter, parseDateMath } from '@shoal/schema';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import type { ValueFormat } from '../../values/value-format.ts';
import type { Bounds, HistogramOptions } from './histogram-options.ts';

/** Keys of a range of buckets, both included; infinite where open. */
export interface KeySpan {
  readonly least: number;
  readonly most: number;
}

export interface HistogramSpans {
  /** Buckets outside are left out. */
  readonly hard: KeySpan;
  /** Buckets inside are shown, empty ones as well. */
  readonly extended: KeySpan;
}

export interface BoundReading {
  /** Key of the bucket that holds a value. */
  readonly round: (value: number) => number;
  /** By how much buckets are moved; that of `round`. */
  readonly offset: number;
  readonly clock: DateMathClock;
}

type AnyHistogram = AggregationNode & HistogramOptions;

/** @throws illegal_argument_exception for bounds that contradict themselves or each other */
export function histogramSpans(aggregation: AnyHistogram, format: ValueFormat, reading: BoundReading): HistogramSpans {
  const extended = spanOf(aggregation, 'extended', format, reading);
  const hard = spanOf(aggregation, 'hard', format, reading);
  const { extendedBounds, hardBounds } = aggregation;
  if (extendedBounds && hardBounds && (isBelow(extended.least, hard.least) || isBelow(hard.most, extended.most))) {
    throw illegalArgument(
      `Extended bounds have to be inside hard bounds, hard bounds: [${shown(hardBounds)}], extended bounds: [${shown(extendedBounds)}]`,
    );
  }
  const { round, offset } = reading;
  if (aggregation.kind !== 'dateHistogram') {
    // Numbers: hard bounds are compared with multiples of the interval, before the offset is added.
    return { hard: mapped(hard, (bound) => bound + offset), extended: mapped(extended, round) };
  }
  // Dates: bounds fall into intervals without the offset, and buckets end before the one that holds the upper bound.
  const start = (bound: number): number => round(bound + offset) - offset;
  const { least, most } = mapped(hard, start);
  return { hard: { least, most: most - 1 }, extended: mapped(extended, (bound) => start(bound) + offset) };
}

function spanOf(
  { name, extendedBounds, hardBounds }: AnyHistogram,
  which: 'extended' | 'hard',
  format: ValueFormat,
  reading: BoundReading,
): KeySpan {
  const bounds = which === 'extended' ? extendedBounds : hardBounds;
  const least = boundOf(bounds?.min ?? null, format, reading) ?? Number.NEGATIVE_INFINITY;
  const most = boundOf(bounds?.max ?? null, format, reading) ?? Number.POSITIVE_INFINITY;
  if (least > most) {
    throw illegalArgument(
      `[${which}_bounds.min][${least}] cannot be greater than [${which}_bounds.max][${most}] for histogram aggregation [${name}]`,
    );
  }
  return { least, most };
}

function boundOf(value: QueryValue, format: ValueFormat, { clock }: BoundReading): number | null {
  if (value === null) return null;
  if (typeof value !== 'string' || format.kind !== 'date') return Number(value);
  const options = { formatter: dateFormatter(format.format), clock, roundUp: false, timeZone: format.timeZone };
  return parseDateMath(value, options);
}

/** False where one of the two is open. */
function isBelow(a: number, b: number): boolean {
  return Number.isFinite(a) && Number.isFinite(b) && a < b;
}

/** Open ends stay open. */
function mapped({ least, most }: KeySpan, change: (bound: number) => number): KeySpan {
  return { least: Number.isFinite(least) ? change(least) : least, most: Number.isFinite(most) ? change(most) : most };
}

function shown({ min, max }: Bounds): string {
  return `${min}--${max}`;
}

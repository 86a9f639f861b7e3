/**
 * The intervals that `auto_date_histogram` chooses from: units of the calendar, the finest first, and multiples of each.
 */
import { assert } from '@shoal/core';
import type { CalendarUnit } from '../../intervals/date-interval.ts';
import { DateRounding } from '../../intervals/date-rounding.ts';

interface AutoUnit {
  readonly unit: CalendarUnit;
  /** How the answer abbreviates it. */
  readonly letter: string;
  /** Length, about. */
  readonly ms: number;
  /** How many of the unit an interval may have, ascending; the first is 1. */
  readonly multiples: readonly number[];
}

const DAY_MS = 86_400_000;

export const AUTO_UNITS: readonly AutoUnit[] = [
  { unit: 'second', letter: 's', ms: 1_000, multiples: [1, 5, 10, 30] },
  { unit: 'minute', letter: 'm', ms: 60_000, multiples: [1, 5, 10, 30] },
  { unit: 'hour', letter: 'h', ms: 3_600_000, multiples: [1, 3, 12] },
  { unit: 'day', letter: 'd', ms: DAY_MS, multiples: [1, 7] },
  { unit: 'month', letter: 'M', ms: 30 * DAY_MS, multiples: [1, 3] },
  { unit: 'year', letter: 'y', ms: 365 * DAY_MS, multiples: [1, 5, 10, 20, 50, 100] },
];

/** Buckets that a request may ask for. */
export const AUTO_BUCKETS_MAX = 2_184;

export function autoUnit(level: number): AutoUnit {
  const unit = AUTO_UNITS[level];
  assert(unit !== undefined, `no unit of level ${level}`);
  return unit;
}

export function autoRounding(level: number, timeZone: string): DateRounding {
  return new DateRounding({ step: autoUnit(level).unit, timeZone, offsetMs: 0 });
}

/** Buckets of a level that its multiples can still bring down to `wanted`. */
export function mostBuckets(level: number, wanted: number): number {
  return wanted * (autoUnit(level).multiples.at(-1) ?? 1);
}

/** Longest time between the first and the last bucket that the multiples of a level can bring down to `wanted`, about. */
export function mostSpanMs(level: number, wanted: number): number {
  return mostBuckets(level, wanted) * autoUnit(level).ms;
}

/** Buckets of one answer: an interval, and where each begins. */
export interface AutoIntervals {
  readonly level: number;
  readonly multiple: number;
  /** Ascending, without gaps. */
  readonly keys: readonly number[];
}

/**
 * The finest interval that gives at most `wanted` buckets from the first to the last key.
 *
 * @param keys ascending starts of intervals of `least` or a finer level
 */
export function chooseIntervals(
  keys: readonly number[],
  least: number,
  wanted: number,
  timeZone: string,
): AutoIntervals {
  const [first] = keys;
  const last = keys.at(-1);
  if (first === undefined || last === undefined) return { level: least, multiple: 1, keys: [] };
  let level = least;
  while (isTooFine(first, last, level, wanted)) level++;
  for (;;) {
    const rounding = autoRounding(level, timeZone);
    const filled: number[] = [];
    const most = mostBuckets(level, wanted);
    const isCoarsest = level === AUTO_UNITS.length - 1;
    const end = rounding.round(last);
    for (let key = rounding.round(first); key <= end; key = rounding.next(key)) {
      filled.push(key);
      if (filled.length > most && !isCoarsest) break;
    }
    if (filled.length <= most || isCoarsest) return { level, ...joined(filled, level, wanted) };
    level++;
  }
}

/** By a wide margin, so that no list of seconds is made of years. */
function isTooFine(first: number, last: number, level: number, wanted: number): boolean {
  if (level === AUTO_UNITS.length - 1) return false;
  return (last - first) / autoUnit(level).ms > 2 * mostBuckets(level, wanted) + 2;
}

function joined(
  keys: readonly number[],
  level: number,
  wanted: number,
): { readonly multiple: number; readonly keys: readonly number[] } {
  const { multiples } = autoUnit(level);
  const multiple = multiples.find((count) => Math.ceil(keys.length / count) <= wanted) ?? 1;
  return { multiple, keys: keys.filter((_, i) => i % multiple === 0) };
}

/**
 * Intervals of time as `date_histogram` takes them, alone or as a source of `composite`.
 */
import { illegalArgument, parseTimeValue, type ValueReader } from '@shoal/core';
import { timeZone } from '@shoal/schema';
import type { OptionReader } from '../request/option-reader.ts';
import { parseZone } from './zone-option.ts';

export type CalendarUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

export interface DateInterval {
  /** A calendar unit, or a fixed number of milliseconds. */
  readonly step: CalendarUnit | number;
  /** Name of a zone that exists. */
  readonly timeZone: string;
  readonly offsetMs: number;
}

export const CALENDAR_UNITS: ReadonlyMap<string, CalendarUnit> = new Map<string, CalendarUnit>([
  ['second', 'second'],
  ['1s', 'second'],
  ['minute', 'minute'],
  ['1m', 'minute'],
  ['hour', 'hour'],
  ['1h', 'hour'],
  ['day', 'day'],
  ['1d', 'day'],
  ['week', 'week'],
  ['1w', 'week'],
  ['month', 'month'],
  ['1M', 'month'],
  ['quarter', 'quarter'],
  ['1q', 'quarter'],
  ['year', 'year'],
  ['1y', 'year'],
]);

export function parseDateInterval(options: OptionReader): DateInterval {
  const zone = parseZone(options);
  return {
    step: parseStep(options),
    timeZone: zone ?? 'UTC',
    offsetMs: parseOffset(options.string('offset')),
  };
}

/** @throws ShoalError for a unit or a zone that does not exist, or a fixed step below a millisecond */
export function readDateInterval(r: ValueReader): DateInterval {
  const step = r.raw('step');
  return {
    step:
      typeof step === 'number' ? (step >= 1 ? step : r.refuse('step', 'at least 1 ms')) : r.oneOf('step', UNIT_NAMES),
    timeZone: timeZone(r.string('timeZone')).name,
    offsetMs: r.number('offsetMs'),
  };
}

export const UNIT_NAMES: readonly CalendarUnit[] = [...new Set(CALENDAR_UNITS.values())];

function parseStep(options: OptionReader): CalendarUnit | number {
  const calendar = options.string('calendar_interval');
  const fixed = options.string('fixed_interval');
  const legacy = options.string('interval');
  if ([calendar, fixed, legacy].filter((given) => given !== null).length > 1) {
    throw illegalArgument('Cannot use more than one of [interval], [fixed_interval], [calendar_interval].');
  }
  if (calendar !== null) {
    const unit = CALENDAR_UNITS.get(calendar);
    if (unit === undefined) {
      throw illegalArgument(`The supplied interval [${calendar}] could not be parsed as a calendar interval.`);
    }
    return unit;
  }
  if (legacy !== null) {
    const unit = CALENDAR_UNITS.get(legacy);
    if (unit !== undefined) return unit;
  }
  const text = fixed ?? legacy;
  if (text === null) {
    throw illegalArgument(
      'Required one of fields [interval, calendar_interval, fixed_interval], but none were specified. ',
    );
  }
  return fixedStep(/^\d+$/.test(text) ? `${text}ms` : text);
}

function fixedStep(text: string): number {
  const ms = parseTimeValue(text, 'date_histogram.fixedInterval');
  if (ms < 1) throw illegalArgument('Zero or negative time interval not supported');
  return ms;
}

/** Milliseconds of `+6h`, `-1d`. */
function parseOffset(text: string | null): number {
  if (text === null) return 0;
  const sign = text.startsWith('-') ? -1 : 1;
  const size = /^[+-]/.test(text) ? text.slice(1) : text;
  return sign * parseTimeValue(/^\d+$/.test(size) ? `${size}ms` : size, 'DateHistogramAggregationBuilder.parseOffset');
}

/**
 * The options that all aggregations over a field share, and intervals of time.
 */
import { illegalArgument, parseTimeValue, ShoalError } from '@shoal/core';
import { timeZone } from '@shoal/schema';
import type { Bounds, CalendarUnit, DateInterval, ValuesSource } from '../tree/aggregation.ts';
import type { OptionReader } from './option-reader.ts';

export function parseValuesSource(options: OptionReader): ValuesSource {
  options.refuse('script');
  const field = options.text('field');
  if (field === null) throw illegalArgument('Required one of fields [field, script], but none were specified. ');
  return {
    field,
    missing: options.scalar('missing'),
    format: options.text('format'),
    valueType: options.string('value_type') ?? options.string('valueType'),
  };
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

/** Of `date_histogram`, alone or as a source of `composite`. */
export function parseDateInterval(options: OptionReader): DateInterval {
  const zone = options.string('time_zone');
  return {
    step: parseStep(options),
    timeZone: timeZone(zone ?? 'UTC'),
    offsetMs: parseOffset(options.string('offset')),
  };
}

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

/** `+6h`, `-1d`. */
function parseOffset(text: string | null): number {
  if (text === null) return 0;
  const sign = text.startsWith('-') ? -1 : 1;
  const size = /^[+-]/.test(text) ? text.slice(1) : text;
  return sign * parseTimeValue(/^\d+$/.test(size) ? `${size}ms` : size, 'DateHistogramAggregationBuilder.parseOffset');
}

export function parseBounds(options: OptionReader, name: 'extended_bounds' | 'hard_bounds'): Bounds | null {
  const inner = options.object(name);
  if (inner === null) return null;
  const bounds = { min: inner.scalar('min'), max: inner.scalar('max') };
  inner.finish();
  return bounds;
}

export function notNegative(options: OptionReader, name: string, fallback: number, aggregation: string): number {
  const value = options.integer(name) ?? fallback;
  if (value >= 0) return value;
  throw illegalArgument(`[${name}] must be greater than or equal to 0. Found [${value}] in [${aggregation}]`);
}

/** @throws ShoalError that Elasticsearch raises for what a node of the tree may not have */
export function initializationError(reason: string): ShoalError {
  return new ShoalError('aggregation_initialization_exception', 400, reason);
}

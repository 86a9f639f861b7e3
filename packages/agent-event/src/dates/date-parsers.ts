/**
 * Formats of the `date` filter that have a name: ISO8601, UNIX, UNIX_MS, TAI64N.
 */
import type { EventValue } from '../values/event-value.ts';
import { emptyDateFields, instantOf } from './date-fields.ts';
import { compileJodaParser } from './joda-parser.ts';
import type { JodaOptions } from './joda-step.ts';
import type { Zone } from './time-zone.ts';

/** Milliseconds since 1970, or null when the value is none of this format. */
export type ValueParser = (value: EventValue, zone: Zone) => number | null;

/** @throws ShoalError for a format that is none */
export function compileDateFormat(format: string, options: JodaOptions): ValueParser {
  switch (format) {
    case 'ISO8601':
      return (value, zone) => (typeof value === 'string' ? parseIso8601(value, zone) : null);
    case 'UNIX':
      return parseUnix;
    case 'UNIX_MS':
      return parseUnixMs;
    case 'TAI64N':
      return parseTai64n;
    default: {
      const parser = compileJodaParser(format, options);
      return remembering((text, zone) => parser.parse(text, zone), /[yYx]/.test(format));
    }
  }
}

/** Lines that follow each other often have the same second. Dates without a year depend on the clock: never remembered. */
function remembering(parse: (text: string, zone: Zone) => number | null, mayRemember: boolean): ValueParser {
  let lastText: string | null = null;
  let lastZone: Zone | null = null;
  let lastResult: number | null = null;
  return (value, zone) => {
    if (typeof value !== 'string') return null;
    if (mayRemember && value === lastText && zone === lastZone) return lastResult;
    lastResult = parse(value, zone);
    lastText = value;
    lastZone = zone;
    return lastResult;
  };
}

const ISO_DATE = /^([+-]?\d{1,9})(?:-(\d{3})(?!\d)|-[Ww](\d{1,2})(?:-(\d))?|-(\d{1,2})(?:-(\d{1,2}))?)?/;
const ISO_TIME =
  /^(?:(\d{1,2})(?:[.,](\d+)|:(\d{1,2})(?:[.,](\d+)|:(\d{1,2})(?:[.,](\d+))?)?)?)?(Z|z|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?$/;

/** Joda's ISO forms: year, month, day, hour and so on, week and ordinal dates; and a blank in place of the `T`. */
export function parseIso8601(text: string, zone: Zone): number | null {
  const date = ISO_DATE.exec(text);
  if (date === null) return null;
  const [head, year = '', ordinal, week, weekday, month, day] = date;
  const fields = emptyDateFields();
  fields.hasYear = true;
  fields.year = Number(year);
  if (ordinal !== undefined) fields.dayOfYear = Number(ordinal);
  if (week !== undefined) {
    fields.weekYear = fields.year;
    fields.week = Number(week);
    fields.weekday = weekday === undefined ? 1 : Number(weekday);
  }
  if (month !== undefined) fields.month = Number(month);
  if (day !== undefined) fields.day = Number(day);
  let fractionMs = 0;
  if (head.length < text.length) {
    const separator = text.charCodeAt(head.length);
    // T, t, or a blank.
    if (separator !== 84 && separator !== 116 && separator !== 32) return null;
    const time = ISO_TIME.exec(text.slice(head.length + 1));
    if (time === null) return null;
    const [, hour, hourFraction, minute, minuteFraction, second, secondFraction, offset] = time;
    if (separator === 32 && second === undefined) return null;
    fields.hour = hour === undefined ? -1 : Number(hour);
    fields.minute = minute === undefined ? 0 : Number(minute);
    fields.second = second === undefined ? 0 : Number(second);
    fractionMs =
      fractionOf(hourFraction, 3_600_000) + fractionOf(minuteFraction, 60_000) + fractionOf(secondFraction, 1000);
    if (offset !== undefined) {
      fields.hasOffset = true;
      fields.offsetMs = offsetOf(offset);
    }
  }
  const instant = instantOf(fields, zone, () => 0);
  return instant === null ? null : instant + fractionMs;
}

function fractionOf(digits: string | undefined, unitMs: number): number {
  return digits === undefined ? 0 : Math.floor(Number(`0.${digits}`) * unitMs + 1e-6);
}

function offsetOf(text: string): number {
  if (text === 'Z' || text === 'z') return 0;
  const digits = text.slice(1).replaceAll(':', '').padEnd(6, '0');
  const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4)) * 60 + Number(digits.slice(4));
  return (text.startsWith('-') ? -seconds : seconds) * 1000;
}

const UNIX_SECONDS_MAX = 2 ** 31 - 1;

/** Seconds; three decimals are kept. */
function parseUnix(value: EventValue): number | null {
  const text = numberText(value);
  const match = text === null ? null : /^(-?\d{1,12})(?:\.(\d*))?$/.exec(text);
  if (match === null) return null;
  const seconds = Number(match[1]);
  if (seconds > UNIX_SECONDS_MAX) return null;
  const millis = Number((match[2] ?? '').padEnd(3, '0').slice(0, 3));
  return match[1]?.startsWith('-') ? seconds * 1000 - millis : seconds * 1000 + millis;
}

function parseUnixMs(value: EventValue): number | null {
  const text = numberText(value);
  if (text === null || !/^-?\d{1,16}$/.test(text)) return null;
  const ms = Number(text);
  return Number.isNaN(new Date(ms).getTime()) ? null : ms;
}

function numberText(value: EventValue): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : value.toFixed(6);
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'object' && value !== null && 'value' in value ? value.value.toFixed(6) : null;
}

/** Seconds of TAI count from 2^62 and were ten ahead of UTC in 1970. */
const TAI_ZERO = 2n ** 62n;
const TAI_AHEAD_SECONDS = 10;

function parseTai64n(value: EventValue): number | null {
  const match = typeof value === 'string' ? /^@?([0-9a-fA-F]{16})([0-9a-fA-F]{8})$/.exec(value) : null;
  if (match === null) return null;
  const seconds = Number(BigInt(`0x${match[1]}`) - TAI_ZERO) - TAI_AHEAD_SECONDS;
  return seconds * 1000 + Math.floor(Number(`0x${match[2]}`) / 1e6);
}

/**
 * Dates as pipelines read them: by named formats, by seconds and milliseconds, and by Java's patterns, in a time zone and with
 * the names of a language.
 */
import { compileDateFormat, timeZone, type Zone } from '@shoal/agent-event';
import { illegalArgument, isShoalError, ShoalError } from '@shoal/core';
import { type DateFormatter, dateFormatter } from '@shoal/schema';
import { englishNames } from './date-names.ts';

/** Milliseconds since 1970. @throws illegal_argument_exception for a text that is no date */
export type DateReader = (text: string) => number;

export interface DateReaderOptions {
  readonly zone: Zone;
  /** Language tag of names of months and days. */
  readonly locale: string;
  /** Dates that name no year are of that of this instant, in milliseconds since 1970. */
  readonly nowMs: number;
}

const PATTERN_PARTS = /'[^']*'|[a-zA-Z]/g;
const YEAR_LETTERS = /^[yuY]$/;
const NAMED_FORMAT = /^[a-z]+(?:_[a-z]+)+$|^(?:date|time|iso8601)$/;
/** Hexadecimal digits of the seconds of a label of TAI64N. */
const TAI_SECONDS_END = 16;
const HOUR_MINUTES = 60;
const SECOND_MS = 1_000;
const DECIMAL = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** @throws illegal_argument_exception for a format that is none */
export function dateReader(format: string, options: DateReaderOptions): DateReader {
  switch (format) {
    case 'UNIX':
      return (text) => Math.trunc(numberIn(text) * SECOND_MS);
    case 'UNIX_MS':
    case 'TAI64N':
      return numericReader(format, options.zone);
    case 'ISO8601':
      return patternReader('iso8601', options);
    default:
      return patternReader(format, options);
  }
}

/** The zone of that name. @throws zone_rules_exception */
export function namedZone(name: string): Zone {
  try {
    return timeZone(name);
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw new ShoalError('zone_rules_exception', 400, `Unknown time-zone ID: ${name}`);
  }
}

function numberIn(text: string): number {
  if (DECIMAL.test(text)) return Number(text);
  throw new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
}

function numericReader(format: 'UNIX_MS' | 'TAI64N', zone: Zone): DateReader {
  const read = compileDateFormat(format, { locale: 'en', nowMs: () => 0 });
  return (text) => {
    const label = text.startsWith('@') ? text.slice(1) : text;
    if (format === 'TAI64N' && label.length < TAI_SECONDS_END) {
      const reason = `begin 1, end ${TAI_SECONDS_END}, length ${label.length}`;
      throw new ShoalError('string_index_out_of_bounds_exception', 400, reason);
    }
    const ms = read(text, zone);
    if (ms === null) throw new ShoalError('number_format_exception', 400, `For input string: "${text}"`);
    return ms;
  };
}

function patternReader(format: string, { zone, locale, nowMs }: DateReaderOptions): DateReader {
  const names = englishNames(locale);
  const isYearless = !format.includes('||') && !NAMED_FORMAT.test(format) && !hasYear(format);
  const year = new Date(nowMs).getUTCFullYear();
  const formatter = dateFormatter(isYearless ? `uuuu ${format}` : format);
  return (text) => {
    const english = names === null ? text : names(text);
    try {
      return instantOf(formatter, isYearless ? `${year} ${english}` : english, zone);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      throw illegalArgument(`failed to parse date field [${text}] with format [${format}]`, {
        ...(error.causedBy === undefined ? {} : { causedBy: error.causedBy }),
      });
    }
  };
}

function hasYear(pattern: string): boolean {
  return (pattern.match(PATTERN_PARTS) ?? []).some((part) => YEAR_LETTERS.test(part));
}

/** A text that names its zone is read the same in every other one. */
function instantOf(formatter: DateFormatter, text: string, zone: Zone): number {
  const local = formatter.parseMs(text);
  const elsewhere = formatter.parseMs(text, { zoneOffsetMinutes: HOUR_MINUTES });
  if (local === elsewhere) return local;
  return zone.instantOf(local) ?? local - zone.offsetAt(local);
}

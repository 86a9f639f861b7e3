/**
 * Formatters of named date formats and of `a||b` alternatives.
 *
 * The first alternative that reads a text wins; dates are printed in the first one. Reuse a formatter:
 * making one costs more than reading a date.
 */
import { illegalArgument, ShoalError } from '@shoal/core';
import { type DateParts, fractionText, msToParts, padded, partsToMs, printYear, printZoneOffset } from './calendar.ts';
import type { DateFormatter, DateParseOptions } from './date-formatter.ts';
import { compileDatePattern, type DatePattern } from './date-pattern.ts';
import { parseIsoDate } from './iso-date.ts';

const DATE = 'yyyy-MM-dd';
const TIME = 'HH:mm:ss';
const WEEK_DATE = "YYYY-'W'ww-e";

/** Patterns of named formats. Those without separators count digits whether they are `strict_` or not. */
const PATTERNS: ReadonlyMap<string, string> = new Map([
  ['date', DATE],
  ['date_hour', `${DATE}'T'HH`],
  ['date_hour_minute', `${DATE}'T'HH:mm`],
  ['date_hour_minute_second', `${DATE}'T'${TIME}`],
  ['date_hour_minute_second_millis', `${DATE}'T'${TIME}.SSS`],
  ['date_hour_minute_second_fraction', `${DATE}'T'${TIME}.SSS`],
  ['date_time', `${DATE}'T'${TIME}.SSSXXX`],
  ['date_time_no_millis', `${DATE}'T'${TIME}XXX`],
  ['basic_date', 'yyyyMMdd'],
  ['basic_date_time', "yyyyMMdd'T'HHmmss.SSSXX"],
  ['basic_date_time_no_millis', "yyyyMMdd'T'HHmmssXX"],
  ['basic_ordinal_date', 'yyyyDDD'],
  ['basic_time', 'HHmmss.SSSXX'],
  ['basic_time_no_millis', 'HHmmssXX'],
  ['ordinal_date', 'yyyy-DDD'],
  ['year', 'yyyy'],
  ['year_month', 'yyyy-MM'],
  ['year_month_day', DATE],
  ['hour', 'HH'],
  ['hour_minute', 'HH:mm'],
  ['hour_minute_second', TIME],
  ['hour_minute_second_millis', `${TIME}.SSS`],
  ['time', `${TIME}.SSSXXX`],
  ['time_no_millis', `${TIME}XXX`],
  ['basic_week_date', "YYYY'W'wwe"],
  ['basic_week_date_time', "YYYY'W'wwe'T'HHmmss.SSSXX"],
  ['basic_week_date_time_no_millis', "YYYY'W'wwe'T'HHmmssXX"],
  ['week_date', WEEK_DATE],
  ['week_date_time', `${WEEK_DATE}'T'${TIME}.SSSXXX`],
  ['week_date_time_no_millis', `${WEEK_DATE}'T'${TIME}XXX`],
  ['week_year', 'YYYY'],
  ['weekyear', 'YYYY'],
  ['weekyear_week', "YYYY-'W'ww"],
  ['weekyear_week_day', WEEK_DATE],
]);

/** One of the formats between `||`. `read` returns NaN for a text in another format. */
interface Alternative {
  read(text: string, options: DateParseOptions): number;
  /** The same in nanoseconds; null for a text in another format. */
  readNanos(text: string, options: DateParseOptions): bigint | null;
  /** `submillis`: nanoseconds behind the millisecond. */
  print(ms: number, offsetMinutes: number, submillis: number): string;
  /** Why a text cannot be read; left out where that is told of its first letter. */
  complaint?(text: string): string;
}

const MS_NANOS = 1_000_000n;
/** Nanoseconds behind the last millisecond of a range. */
const LAST_SUBMILLIS = 999_999;

/** Throws `illegal_argument_exception` when a format is neither a known name nor a readable pattern. */
export function dateFormatter(format: string): DateFormatter {
  if (format === '') throw illegalArgument('No date pattern provided');
  const names = format.split('||');
  if (names.includes('')) throw illegalArgument(`Cannot have empty element in multi date format pattern: ${format}`);
  const alternatives = names.map((name) => alternative(snakeName(name.trim())));
  const first = alternatives[0] as Alternative;
  return {
    format,
    parseMs: (value, options = {}) => {
      const text = typeof value === 'number' ? String(value) : value;
      for (const one of alternatives) {
        const ms = one.read(text, options);
        if (!Number.isNaN(ms)) return ms;
      }
      throw unreadable(text, format, alternatives);
    },
    parseNanos: (value, options = {}) => {
      const text = typeof value === 'number' ? String(value) : value;
      for (const one of alternatives) {
        const nanos = one.readNanos(text, options);
        if (nanos !== null) return nanos;
      }
      throw unreadable(text, format, alternatives);
    },
    print: (ms, offsetMinutes = 0) => first.print(ms, offsetMinutes, 0),
    printNanos: (nanos, offsetMinutes = 0) => {
      const ms = floorMs(nanos);
      return first.print(Number(ms), offsetMinutes, Number(nanos - ms * MS_NANOS));
    },
  };
}

function unreadable(text: string, format: string, [first, ...others]: readonly Alternative[]): ShoalError {
  const why =
    others.length > 0
      ? 'Failed to parse with all enclosed parsers'
      : `Text '${text}' ${first?.complaint?.(text) ?? 'could not be parsed at index 0'}`;
  return illegalArgument(`failed to parse date field [${text}] with format [${format}]`, {
    causedBy: new ShoalError('date_time_parse_exception', 400, why),
  });
}

/** `dateOptionalTime` as `date_optional_time`: Elasticsearch 7 knew its formats by both names, and indices of then still say the first. */
function snakeName(name: string): string {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const base = snake.replace(/^strict_/, '');
  return base === 'date_optional_time' || PATTERNS.has(base) ? snake : name;
}

function alternative(name: string): Alternative {
  switch (name) {
    case 'strict_date_optional_time':
    case 'iso8601':
      return isoAlternative(true);
    case 'strict_date_optional_time_nanos':
      return { ...isoAlternative(true), print: printIso };
    case 'date_optional_time':
      return isoAlternative(false);
    case 'epoch_millis':
      return epochAlternative(1);
    case 'epoch_second':
      return epochAlternative(1_000);
    default: {
      if (name === '') throw illegalArgument('No date pattern provided');
      const isStrict = name.startsWith('strict_');
      const pattern = PATTERNS.get(isStrict ? name.slice('strict_'.length) : name);
      const isCounted = pattern === undefined || isStrict || name.startsWith('basic_');
      const compiled = compileDatePattern(pattern ?? name, { isStrict: isCounted, isNamed: pattern !== undefined });
      return {
        read: (text, options) => fromParts(compiled.parse(text), options),
        readNanos: (text, options) => nanosOfParts(compiled.parse(text), options),
        complaint: compiled.complaint,
        print: isStrict && name.endsWith('time') ? printerOfAllDigits(pattern ?? name, compiled) : compiled.print,
      };
    }
  }
}

/** Printer of the strict named times: three digits of a second, and more where an instant has more. */
function printerOfAllDigits(pattern: string, compiled: DatePattern): Alternative['print'] {
  return (ms, offsetMinutes, submillis) => {
    if (submillis === 0) return compiled.print(ms, offsetMinutes, 0);
    const digits = fractionText(0, submillis).length;
    return compileDatePattern(pattern.replace('SSS', 'S'.repeat(digits))).print(ms, offsetMinutes, submillis);
  };
}

function fromParts(parts: DateParts | null, options: DateParseOptions): number {
  return parts === null ? Number.NaN : partsToMs(parts, options.roundUp === true, options.zoneOffsetMinutes ?? 0);
}

function nanosOfParts(parts: DateParts | null, options: DateParseOptions): bigint | null {
  const ms = fromParts(parts, options);
  if (parts === null || Number.isNaN(ms)) return null;
  const submillis = parts.submillis >= 0 ? parts.submillis : options.roundUp === true ? LAST_SUBMILLIS : 0;
  return BigInt(ms) * MS_NANOS + BigInt(submillis);
}

/** Milliseconds of an instant in nanoseconds. */
function floorMs(nanos: bigint): bigint {
  const ms = nanos / MS_NANOS;
  return ms * MS_NANOS > nanos ? ms - 1n : ms;
}

function isoAlternative(isStrict: boolean): Alternative {
  return {
    read: (text, options) => fromParts(parseIsoDate(text, isStrict), options),
    readNanos: (text, options) => nanosOfParts(parseIsoDate(text, isStrict), options),
    print: (ms, offsetMinutes) => printIso(ms, offsetMinutes),
  };
}

const MINUTE_MS = 60_000;
const EPOCH = /^(-?)(\d{1,19})(?:\.(\d+))?$/;

function zoneMs({ zoneOffsetMinutes = 0 }: DateParseOptions): number {
  return zoneOffsetMinutes * MINUTE_MS;
}

function epochAlternative(unitMs: number): Alternative {
  return {
    read: (text, options) => {
      if (!EPOCH.test(text)) return Number.NaN;
      // A zone of the request moves a count of time too, as if it were that of the zone's clocks.
      const ms = Math.floor(Number(text) * unitMs) - zoneMs(options);
      return options.roundUp === true && unitMs > 1 && !text.includes('.') ? ms + unitMs - 1 : ms;
    },
    readNanos: (text, options) => {
      const [, sign = '', whole = '', decimals] = EPOCH.exec(text) ?? [];
      if (whole === '') return null;
      const digits = unitMs === 1 ? 6 : 9;
      const filler = options.roundUp === true && decimals === undefined ? '9' : '0';
      const nanos = BigInt(whole + (decimals ?? '').slice(0, digits).padEnd(digits, filler));
      return (sign === '-' ? -nanos : nanos) - BigInt(zoneMs(options)) * MS_NANOS;
    },
    print: (ms, _offsetMinutes, submillis) => {
      if (submillis === 0) return ms % unitMs === 0 ? String(ms / unitMs) : String(Math.floor(ms) / unitMs);
      const digits = unitMs === 1 ? 6 : 9;
      const nanos = String(BigInt(ms) * MS_NANOS + BigInt(submillis)).padStart(digits + 1, '0');
      return `${nanos.slice(0, -digits)}.${nanos.slice(-digits).replace(/0+$/, '')}`;
    },
  };
}

/** `2024-01-02T03:04:05.678Z`, or with `+01:00` at its end for a clock that far east of UTC. */
export function printIso(ms: number, offsetMinutes = 0, submillis = 0): string {
  const p = msToParts(ms + offsetMinutes * 60_000);
  const time = `${padded(p.hour, 2)}:${padded(p.minute, 2)}:${padded(p.second, 2)}.${fractionText(p.millisecond, submillis)}`;
  return `${printYear(p.year, 4)}-${padded(p.month, 2)}-${padded(p.day, 2)}T${time}${offsetMinutes === 0 ? 'Z' : printZoneOffset(offsetMinutes, ':')}`;
}

/**
 * Dates as queries write them: texts in a format, `now`, and sums of units with rounding (`now-1d/d`, `2024-01-01||+1M`).
 *
 * `roundUp` takes the last millisecond: of the first day named where the time is missing (`2024-01`), of a rounded unit (`/M`).
 */
import { isShoalError, ShoalError } from '@shoal/core';
import type { DateFormatter } from './date-formatter.ts';
import { type TimeZone, timeZone as zoneOf } from './time-zone.ts';

/** Moment of a request. It is read only where a date says `now`, so that a reader can tell whether one did. */
export interface DateMathClock {
  /** Meaning of `now`, in ms since 1970. */
  readonly nowMs: number;
}

export interface DateMathOptions {
  readonly formatter: DateFormatter;
  readonly clock: DateMathClock;
  readonly roundUp: boolean;
  /** `+01:00`, `Europe/Berlin`; null: UTC. */
  readonly timeZone: string | null;
}

const MS_NANOS = 1_000_000n;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const UNIT_MS: Readonly<Record<string, number>> = {
  w: 604_800_000,
  d: 86_400_000,
  h: 3_600_000,
  H: 3_600_000,
  m: 60_000,
  s: 1_000,
};

export function parseDateMath(value: string | number, options: DateMathOptions): number {
  const text = String(value);
  if (text.startsWith('now')) return applyMath(options.clock.nowMs, text.slice(3), text, options);
  const bars = text.indexOf('||');
  if (bars < 0) return parseDate(typeof value === 'number' ? value : text, options, options.roundUp);
  return applyMath(parseDate(text.slice(0, bars), options, false), text.slice(bars + 2), text, options);
}

/** The same in nanoseconds since 1970: sums keep what is behind the millisecond, rounding does not. */
export function parseDateMathNanos(value: string | number, options: DateMathOptions): bigint {
  const text = String(value);
  const bars = text.startsWith('now') ? 3 : text.indexOf('||');
  if (bars < 0) return parseNanos(typeof value === 'number' ? value : text, options, options.roundUp);
  const math = text.slice(text.startsWith('now') ? 3 : bars + 2);
  const start = text.startsWith('now')
    ? BigInt(options.clock.nowMs) * MS_NANOS
    : parseNanos(text.slice(0, bars), options, false);
  const ms = applyMath(Number(start / MS_NANOS), math, text, options);
  const isRounded = math.includes('/');
  const submillis = isRounded ? (options.roundUp ? MS_NANOS - 1n : 0n) : start % MS_NANOS;
  return BigInt(ms) * MS_NANOS + submillis;
}

function parseNanos(value: string | number, options: DateMathOptions, roundUp: boolean): bigint {
  const { formatter, timeZone } = options;
  return asMath(() =>
    timeZone === null
      ? formatter.parseNanos(value, { roundUp })
      : formatter.parseNanos(value, { roundUp, zoneOffsetMinutes: offsetOf(value, options, roundUp) }),
  );
}

function parseDate(value: string | number, { formatter, timeZone }: DateMathOptions, roundUp: boolean): number {
  return asMath(() =>
    timeZone === null
      ? formatter.parseMs(value, { roundUp })
      : formatter.parseMs(value, {
          roundUp,
          zoneOffsetMinutes: offsetOf(value, { formatter, timeZone }, roundUp),
        }),
  );
}

/** Runs `parse`; a text that no format reads is told as an error of the expression that it stands in. */
function asMath<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!isShoalError(error) || error.type !== 'illegal_argument_exception') throw error;
    throw new ShoalError('parse_exception', 400, `${error.reason}: [${error.reason}]`, { causedBy: error });
  }
}

/** Offset of a text in the zone of the request: one without an offset is local time, one with its own is read the same with any. */
function offsetOf(
  value: string | number,
  { formatter, timeZone }: Pick<DateMathOptions, 'formatter' | 'timeZone'>,
  roundUp: boolean,
): number {
  const local = formatter.parseMs(value, { roundUp });
  return (local - instantOf(zoneOf(timeZone ?? 'UTC'), local, null)) / MINUTE_MS;
}

function applyMath(start: number, math: string, whole: string, options: DateMathOptions): number {
  const zone = zoneOf(options.timeZone ?? 'UTC');
  const step = /([+-])(\d{0,9})([yMwdhHms])|\/([yMwdhHms])/y;
  let ms = start;
  while (step.lastIndex < math.length) {
    const from = step.lastIndex;
    const match = step.exec(math);
    if (!match) throw badMath(whole, math.slice(from));
    const [, sign, count, unit, rounding] = match;
    if (rounding !== undefined) ms = roundIn(zone, ms, rounding, options.roundUp);
    else ms = addIn(zone, ms, (sign === '-' ? -1 : 1) * (count === '' ? 1 : Number(count)), unit ?? 'd');
  }
  return ms;
}

/**
 * Instant of a local time. Where clocks show it twice, the one with the offset `preferred`, else the first; where they skip it,
 * as much later as they skip.
 */
function instantOf(zone: TimeZone, local: number, preferred: number | null): number {
  const before = zone.offsetMinutes(local - DAY_MS);
  if (zone.isFixed) return local - before * MINUTE_MS;
  const offsets = [preferred ?? before, before, zone.offsetMinutes(local + DAY_MS)];
  const offset = offsets.find((minutes) => zone.offsetMinutes(local - minutes * MINUTE_MS) === minutes) ?? before;
  return local - offset * MINUTE_MS;
}

/** Local time by `change`, as an instant: days and longer units follow the clocks, so that a day can have 23 or 25 hours. */
function changeLocal(zone: TimeZone, ms: number, change: (local: number) => number): number {
  const offset = zone.offsetMinutes(ms);
  return instantOf(zone, change(ms + offset * MINUTE_MS), offset);
}

function addIn(zone: TimeZone, ms: number, count: number, unit: string): number {
  const isTime = 'hHms'.includes(unit);
  return isTime ? addUnits(ms, count, unit) : changeLocal(zone, ms, (local) => addUnits(local, count, unit));
}

function roundIn(zone: TimeZone, ms: number, unit: string, roundUp: boolean): number {
  const start = changeLocal(zone, ms, (local) => startOf(local, unit));
  return roundUp ? addIn(zone, start, 1, unit) - 1 : start;
}

function badMath(text: string, rest: string): ShoalError {
  return new ShoalError(
    'parse_exception',
    400,
    `operator not supported for date math [${rest === text ? text : rest}]`,
  );
}

function addUnits(ms: number, count: number, unit: string): number {
  const length = UNIT_MS[unit];
  if (length !== undefined) return ms + count * length;
  const date = new Date(ms);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + (unit === 'y' ? 12 * count : count);
  const year = Math.floor(months / 12);
  const month = months - year * 12;
  // The 31st of a month moved to a shorter one becomes its last day.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay));
  return midnight + (((ms % 86_400_000) + 86_400_000) % 86_400_000);
}

function startOf(ms: number, unit: string): number {
  const date = new Date(ms);
  if (unit === 'y') return Date.UTC(date.getUTCFullYear(), 0, 1);
  if (unit === 'M') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const length = UNIT_MS[unit] ?? 1;
  // Weeks start on Monday; the epoch was a Thursday.
  const shift = unit === 'w' ? 259_200_000 : 0;
  return Math.floor((ms + shift) / length) * length - shift;
}

/**
 * Dates as queries write them: texts in a format, `now`, and sums of units with rounding (`now-1d/d`, `2024-01-01||+1M`).
 *
 * `roundUp` takes the last millisecond: of the first day named where the time is missing (`2024-01`), of a rounded unit (`/M`).
 */
import { ShoalError } from '@shoal/core';
import { type DateFormatter, timeZone as zoneOf } from '@shoal/schema';

export interface DateMathOptions {
  readonly formatter: DateFormatter;
  readonly nowMs: number;
  readonly roundUp: boolean;
  /** `+01:00`, `Europe/Berlin`; null: UTC. */
  readonly timeZone: string | null;
}

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
  if (text.startsWith('now')) return applyMath(options.nowMs, text.slice(3), text, options);
  const bars = text.indexOf('||');
  if (bars < 0) return parseDate(typeof value === 'number' ? value : text, options, options.roundUp);
  return applyMath(parseDate(text.slice(0, bars), options, false), text.slice(bars + 2), text, options);
}

function parseDate(value: string | number, { formatter, timeZone }: DateMathOptions, roundUp: boolean): number {
  if (timeZone === null) return formatter.parseMs(value, { roundUp });
  // The offset of a zone depends on the instant: it is taken at the text read as UTC.
  const approximate = formatter.parseMs(value, { roundUp });
  return formatter.parseMs(value, { roundUp, zoneOffsetMinutes: zoneOf(timeZone).offsetMinutes(approximate) });
}

function applyMath(start: number, math: string, whole: string, options: DateMathOptions): number {
  const zone = options.timeZone === null ? null : zoneOf(options.timeZone);
  const offsetMs = (ms: number) => (zone === null ? 0 : zone.offsetMinutes(ms) * 60_000);
  const step = /([+-])(\d{0,9})([yMwdhHms])|\/([yMwdhHms])/y;
  let ms = start;
  while (step.lastIndex < math.length) {
    const from = step.lastIndex;
    const match = step.exec(math);
    if (!match) throw badMath(whole, math.slice(from));
    const [, sign, count, unit, rounding] = match;
    const shift = offsetMs(ms);
    const local = ms + shift;
    if (rounding !== undefined) ms = roundTo(local, rounding, options.roundUp) - shift;
    else ms = addUnits(local, (sign === '-' ? -1 : 1) * (count === '' ? 1 : Number(count)), unit ?? 'd') - shift;
  }
  return ms;
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

function roundTo(ms: number, unit: string, roundUp: boolean): number {
  const start = startOf(ms, unit);
  return roundUp ? addUnits(start, 1, unit) - 1 : start;
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

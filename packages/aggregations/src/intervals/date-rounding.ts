/**
 * Rounds instants down to the start of a range of time: a calendar unit of some zone, or a fixed number of milliseconds.
 *
 * Units from the day up are those of the zone's wall clock; a wall time that a clock change leaves out begins the range at the
 * change. Smaller units are cut from the instant, moved by the zone's offset.
 */
import { type TimeZone, timeZone } from '@shoal/schema';
import type { CalendarUnit, DateInterval } from './date-interval.ts';

const DAY_MS = 86_400_000;
const UNIT_MS: Readonly<Partial<Record<CalendarUnit, number>>> = { second: 1_000, minute: 60_000, hour: 3_600_000 };
/** Clocks change by multiples of it. */
const OFFSET_STEP_MS = 15 * 60_000;
/** The epoch was a Thursday; weeks start on Monday. */
const MONDAY_SHIFT_MS = 3 * DAY_MS;

export class DateRounding {
  private readonly interval: DateInterval;
  private readonly zone: TimeZone;
  private readonly fixedMs: number;
  private readonly isUtcFixed: boolean;

  constructor(interval: DateInterval) {
    this.interval = interval;
    this.zone = timeZone(interval.timeZone);
    const { step } = interval;
    this.fixedMs = typeof step === 'number' ? step : (UNIT_MS[step] ?? (step === 'day' ? DAY_MS : 0));
    this.isUtcFixed = this.fixedMs > 0 && this.zone.isFixed && this.zone.offsetMinutes(0) === 0;
  }

  /** Length of every range in milliseconds; null where lengths differ. */
  get fixedStepMs(): number | null {
    return this.isUtcFixed ? this.fixedMs : null;
  }

  get offset(): number {
    return this.interval.offsetMs;
  }

  /** Start of the range that holds `ms`. */
  round(ms: number): number {
    const { offsetMs } = this.interval;
    const shifted = ms - offsetMs;
    if (this.isUtcFixed) return Math.floor(shifted / this.fixedMs) * this.fixedMs + offsetMs;
    return this.start(shifted) + offsetMs;
  }

  /** Start of the range after the one that starts at `start`. */
  next(start: number): number {
    const { offsetMs } = this.interval;
    const from = start - offsetMs;
    if (this.isUtcFixed) return start + this.fixedMs;
    if (this.fixedMs > 0 && !this.isDay()) {
      let at = from + this.fixedMs;
      // A clock change may make a range longer than its name says, by less than many a range is long.
      while (this.start(at) <= from) at += Math.min(this.fixedMs, OFFSET_STEP_MS);
      return this.start(at) + offsetMs;
    }
    const local = from + this.zone.offsetMinutes(from) * 60_000;
    return this.toUtc(nextStart(local, this.unit())) + offsetMs;
  }

  private isDay(): boolean {
    return this.interval.step === 'day';
  }

  private unit(): CalendarUnit {
    const { step } = this.interval;
    return typeof step === 'number' ? 'day' : step;
  }

  private start(ms: number): number {
    const shift = this.zone.offsetMinutes(ms) * 60_000;
    const local = ms + shift;
    if (this.fixedMs > 0 && !this.isDay()) {
      const start = Math.floor(local / this.fixedMs) * this.fixedMs;
      // A wall time that occurs twice: the last occurrence that is not behind `ms`.
      const isSameOffset = this.zone.offsetMinutes(start - shift) * 60_000 === shift;
      return isSameOffset ? start - shift : this.toUtc(start);
    }
    return this.toUtc(startOf(local, this.unit()));
  }

  /** The instant at which the zone's clocks show `local`; where they skip it, the instant of the skip. */
  private toUtc(local: number): number {
    const before = this.zone.offsetMinutes(local - DAY_MS) * 60_000;
    const after = this.zone.offsetMinutes(local + DAY_MS) * 60_000;
    if (before === after) return local - before;
    // The earlier instant first: a wall time that occurs twice begins at its first occurrence.
    for (const shift of before > after ? [before, after] : [after, before]) {
      const ms = local - shift;
      if (this.zone.offsetMinutes(ms) * 60_000 === shift) return ms;
    }
    return changeAfter(local - after, before, (ms) => this.zone.offsetMinutes(ms) * 60_000);
  }
}

/** The instant near `ms` at which the offset stops being `before`. */
function changeAfter(ms: number, before: number, offsetMs: (ms: number) => number): number {
  let low = ms - DAY_MS;
  let high = ms + DAY_MS;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

function startOf(ms: number, unit: CalendarUnit): number {
  switch (unit) {
    case 'week':
      return Math.floor((ms + MONDAY_SHIFT_MS) / (7 * DAY_MS)) * 7 * DAY_MS - MONDAY_SHIFT_MS;
    case 'month':
      return monthStart(ms, 1);
    case 'quarter':
      return monthStart(ms, 3);
    case 'year':
      return monthStart(ms, 12);
    default:
      return Math.floor(ms / DAY_MS) * DAY_MS;
  }
}

function nextStart(ms: number, unit: CalendarUnit): number {
  const start = startOf(ms, unit);
  if (unit === 'day') return start + DAY_MS;
  if (unit === 'week') return start + 7 * DAY_MS;
  // Far enough to be in the next one, whatever the length of the months.
  return startOf(start + (unit === 'month' ? 32 : unit === 'quarter' ? 93 : 367) * DAY_MS, unit);
}

/** Start of the range of `length` months that holds `ms`. */
function monthStart(ms: number, length: number): number {
  const date = new Date(ms);
  const month = Math.floor(date.getUTCMonth() / length) * length;
  const start = new Date(0);
  // Not Date.UTC: that reads the years 0..99 as 19xx.
  start.setUTCFullYear(date.getUTCFullYear(), month, 1);
  return start.getTime();
}

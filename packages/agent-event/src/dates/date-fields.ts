/**
 * The fields that a date format finds in a text, and the instant they make together, by Joda's rules.
 */
import type { Zone } from './time-zone.ts';

const DAY_MS = 86_400_000;

/** What a parser found; -1 stands for not found, so that a parse allocates nothing. */
export interface DateFields {
  year: number;
  hasYear: boolean;
  isBeforeChrist: boolean;
  century: number;
  weekYear: number;
  week: number;
  month: number;
  day: number;
  dayOfYear: number;
  /** 1 is Monday. */
  weekday: number;
  hour: number;
  /** 0..11, with `isAfternoon`. */
  hourOfHalf: number;
  isAfternoon: boolean;
  minute: number;
  second: number;
  millis: number;
  hasOffset: boolean;
  offsetMs: number;
  zone: Zone | null;
}

export function emptyDateFields(): DateFields {
  return {
    year: 0,
    hasYear: false,
    isBeforeChrist: false,
    century: -1,
    weekYear: -1,
    week: -1,
    month: -1,
    day: -1,
    dayOfYear: -1,
    weekday: -1,
    hour: -1,
    hourOfHalf: -1,
    isAfternoon: false,
    minute: 0,
    second: 0,
    millis: 0,
    hasOffset: false,
    offsetMs: 0,
    zone: null,
  };
}

export function resetDateFields(fields: DateFields): void {
  fields.year = 0;
  fields.hasYear = false;
  fields.isBeforeChrist = false;
  fields.century = -1;
  fields.weekYear = -1;
  fields.week = -1;
  fields.month = -1;
  fields.day = -1;
  fields.dayOfYear = -1;
  fields.weekday = -1;
  fields.hour = -1;
  fields.hourOfHalf = -1;
  fields.isAfternoon = false;
  fields.minute = 0;
  fields.second = 0;
  fields.millis = 0;
  fields.hasOffset = false;
  fields.offsetMs = 0;
  fields.zone = null;
}

/**
 * Milliseconds since 1970; null when there is no such time.
 *
 * @param zone for texts that name none
 * @param nowMs gives the year to dates without one: December seen in January is of last year, January in December of next
 */
export function instantOf(fields: DateFields, zone: Zone, nowMs: () => number): number | null {
  const dayMs = dayOf(fields, nowMs);
  if (dayMs === null) return null;
  const hour = hourOf(fields);
  if (hour > 23 || fields.minute > 59 || fields.second > 59) return null;
  const local = dayMs + ((hour * 60 + fields.minute) * 60 + fields.second) * 1000 + fields.millis;
  if (fields.hasOffset) return local - fields.offsetMs;
  return (fields.zone ?? zone).instantOf(local);
}

function hourOf(fields: DateFields): number {
  if (fields.hour >= 0) return fields.hour;
  if (fields.hourOfHalf < 0) return fields.isAfternoon ? 12 : 0;
  return fields.hourOfHalf > 11 ? 24 : fields.hourOfHalf + (fields.isAfternoon ? 12 : 0);
}

function dayOf(fields: DateFields, nowMs: () => number): number | null {
  if (fields.week >= 0 || fields.weekYear >= 0) return dayOfWeek(fields, nowMs);
  const year = yearOf(fields, nowMs);
  if (fields.dayOfYear >= 0) {
    const start = utcDay(year, 1, 1);
    const day = start + (fields.dayOfYear - 1) * DAY_MS;
    return fields.dayOfYear >= 1 && day < utcDay(year + 1, 1, 1) ? day : null;
  }
  const month = fields.month < 0 ? 1 : fields.month;
  const day = fields.day < 0 ? 1 : fields.day;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  const date = utcDay(year, month, day);
  // A week day that contradicts the date wins, within the week of the date.
  return fields.weekday < 0 ? date : date + (fields.weekday - weekdayOf(date)) * DAY_MS;
}

function yearOf(fields: DateFields, nowMs: () => number): number {
  if (fields.hasYear) {
    const year = fields.century >= 0 && fields.year < 100 ? fields.century * 100 + fields.year : fields.year;
    return fields.isBeforeChrist ? 1 - year : year;
  }
  if (fields.century >= 0) return fields.century * 100;
  const now = new Date(nowMs());
  const year = now.getUTCFullYear();
  if (fields.month === 12 && now.getUTCMonth() === 0) return year - 1;
  return fields.month === 1 && now.getUTCMonth() === 11 ? year + 1 : year;
}

function dayOfWeek(fields: DateFields, nowMs: () => number): number | null {
  const year = fields.weekYear >= 0 ? fields.weekYear : yearOf(fields, nowMs);
  const week = fields.week < 0 ? 1 : fields.week;
  const weekday = fields.weekday < 0 ? 1 : fields.weekday;
  // The fourth of January is always in week 1.
  const fourth = utcDay(year, 1, 4);
  const monday = fourth - (weekdayOf(fourth) - 1) * DAY_MS + (week - 1) * 7 * DAY_MS;
  const thursdayYear = new Date(monday + 3 * DAY_MS).getUTCFullYear();
  if (week < 1 || thursdayYear !== year || weekday < 1 || weekday > 7) return null;
  return monday + (weekday - 1) * DAY_MS;
}

function weekdayOf(dayMs: number): number {
  const days = Math.floor(dayMs / DAY_MS);
  // 1970-01-01 was a Thursday.
  return ((((days + 3) % 7) + 7) % 7) + 1;
}

function utcDay(year: number, month: number, day: number): number {
  if (year > 99) return Date.UTC(year, month - 1, day);
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * Weeks of ISO-8601: they begin on Monday, and the first week of a year is the one with its first Thursday.
 */
import { daysFromCivil, msToParts } from './calendar.ts';

export interface WeekDate {
  /** Year that the week belongs to; differs from the calendar's around New Year. */
  readonly weekYear: number;
  /** 1..53 */
  readonly week: number;
  /** 1 Monday .. 7 Sunday */
  readonly weekDay: number;
}

const DAY_MS = 86_400_000;
const WEEK_DAYS = 7;

/** Week of a day, counted in days since 1970-01-01. */
export function weekDateOf(days: number): WeekDate {
  const weekDay = weekDayOf(days);
  const thursday = days - weekDay + 4;
  const weekYear = msToParts(thursday * DAY_MS).year;
  return { weekYear, week: Math.floor((thursday - daysFromCivil(weekYear, 1, 1)) / WEEK_DAYS) + 1, weekDay };
}

/** Week of the month by the same rule; 0 for days before its first week. */
export function weekOfMonth(day: number, weekDay: number): number {
  return Math.floor((day - weekDay + 10) / WEEK_DAYS);
}

export function weeksInYear(weekYear: number): number {
  return Math.round((firstMonday(weekYear + 1) - firstMonday(weekYear)) / WEEK_DAYS);
}

/** Days from 1970-01-01 to a day of a week. */
export function daysOfWeekDate({ weekYear, week, weekDay }: WeekDate): number {
  return firstMonday(weekYear) + (week - 1) * WEEK_DAYS + weekDay - 1;
}

/** 1 Monday .. 7 Sunday; 1970-01-01 was a Thursday. */
function weekDayOf(days: number): number {
  return ((((days + 3) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS) + 1;
}

/** The first week of a year is that of January 4th. */
function firstMonday(weekYear: number): number {
  const fourth = daysFromCivil(weekYear, 1, 4);
  return fourth - weekDayOf(fourth) + 1;
}

/**
 * The calendar of ISO 8601 in numbers: days since 1970-01-01, and the parts of a date.
 */

export const NANOS_PER_SECOND = 1_000_000_000;
export const NANOS_PER_MS = 1_000_000;
export const SECONDS_PER_DAY = 86_400;
export const NANOS_PER_DAY: number = SECONDS_PER_DAY * NANOS_PER_SECOND;
/** Days of the first and the last date that Java has: of the years -999999999 and 999999999. */
export const EPOCH_DAY_MIN = -365_243_219_162;
export const EPOCH_DAY_MAX = 365_241_780_471;

const DAYS_PER_ERA = 146_097;
const YEARS_PER_ERA = 400;
/** Days from 0000-03-01 to 1970-01-01. */
const DAYS_TO_EPOCH = 719_468;

export interface DateParts {
  readonly year: number;
  /** 1..12 */
  readonly month: number;
  /** 1..31 */
  readonly day: number;
}

export function floorDiv(a: number, b: number): number {
  return Math.floor(a / b);
}

export function floorMod(a: number, b: number): number {
  return a - Math.floor(a / b) * b;
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

export function lengthOfMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days since 1970-01-01. Years are counted from March, so that the day of a leap year is the last one. */
export function epochDayOf(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = floorDiv(shifted, YEARS_PER_ERA);
  const yearOfEra = shifted - era * YEARS_PER_ERA;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * DAYS_PER_ERA + dayOfEra - DAYS_TO_EPOCH;
}

export function dateOf(epochDay: number): DateParts {
  const shifted = epochDay + DAYS_TO_EPOCH;
  const era = floorDiv(shifted, DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return { year: yearOfEra + era * YEARS_PER_ERA + (month <= 2 ? 1 : 0), month, day };
}

/** 1 (Monday) to 7. */
export function dayOfWeek(epochDay: number): number {
  return floorMod(epochDay + 3, 7) + 1;
}

export function dayOfYear(epochDay: number): number {
  return epochDay - epochDayOf(dateOf(epochDay).year, 1, 1) + 1;
}

/** The day so many months later, on the same day of the month where the month has it. */
export function plusMonths(epochDay: number, count: number): number {
  const { year, month, day } = dateOf(epochDay);
  const months = year * 12 + month - 1 + count;
  const newYear = floorDiv(months, 12);
  const newMonth = floorMod(months, 12) + 1;
  return epochDayOf(newYear, newMonth, Math.min(day, lengthOfMonth(newYear, newMonth)));
}

/** Week of the ISO year and that year. */
export function isoWeek(epochDay: number): { readonly week: number; readonly year: number } {
  const thursday = epochDay + 4 - dayOfWeek(epochDay);
  const { year } = dateOf(thursday);
  return { year, week: floorDiv(thursday - epochDayOf(year, 1, 1), 7) + 1 };
}

export function weeksOfYear(year: number): number {
  return isoWeek(epochDayOf(year, 12, 28)).week;
}

/** Seconds since 1970 and nanoseconds of the second, of a local date and time. */
export function epochSecondOf(epochDay: number, nanoOfDay: number): number {
  return epochDay * SECONDS_PER_DAY + Math.floor(nanoOfDay / NANOS_PER_SECOND);
}

/**
 * Parts of instants that expressions read by name: those of a date field itself, and those of its `date`.
 */
import { JavaDateTime } from '../time/instants.ts';

export type DateMember = (date: JavaDateTime) => number;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 1_440 * MINUTE_MS;
const WEEK_DAYS = 7;
/** 1970-01-01 was the fourth day of a week that begins on Monday. */
const EPOCH_DAY_OF_WEEK = 3;

const day = (ms: number): number => Math.floor(ms / DAY_MS);
const msOfDay = ({ ms }: JavaDateTime): number => ms - day(ms) * DAY_MS;
const yearOfEra = ({ parts: { year } }: JavaDateTime): number => (year > 0 ? year : 1 - year);
const dayOfWeek = ({ ms }: JavaDateTime): number =>
  ((((day(ms) + EPOCH_DAY_OF_WEEK) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS) + 1;
const dayOfYear = ({ ms, parts: { year } }: JavaDateTime): number => day(ms) - day(Date.UTC(year, 0)) + 1;

/** Year that the Thursday of the week is in: weeks of ISO 8601 belong to it. */
function weekYear(date: JavaDateTime): number {
  return thursdayOf(date).parts.year;
}

function weekOfWeekYear(date: JavaDateTime): number {
  return Math.ceil(dayOfYear(thursdayOf(date)) / WEEK_DAYS);
}

function thursdayOf(date: JavaDateTime): JavaDateTime {
  return new JavaDateTime(date.ms + (4 - dayOfWeek(date)) * DAY_MS);
}

/** Members of `date`. */
export const DATE_PARTS: ReadonlyMap<string, DateMember> = new Map<string, DateMember>([
  ['centuryOfEra', (date) => Math.floor(yearOfEra(date) / 100)],
  ['dayOfMonth', ({ parts }) => parts.day],
  ['dayOfWeek', dayOfWeek],
  ['dayOfYear', dayOfYear],
  ['era', ({ parts }) => (parts.year > 0 ? 1 : 0)],
  ['hourOfDay', ({ parts }) => parts.hour],
  ['millisOfDay', msOfDay],
  ['millisOfSecond', ({ parts }) => parts.millisecond],
  ['minuteOfDay', (date) => Math.floor(msOfDay(date) / MINUTE_MS)],
  ['minuteOfHour', ({ parts }) => parts.minute],
  ['monthOfYear', ({ parts }) => parts.month],
  ['secondOfDay', (date) => Math.floor(msOfDay(date) / SECOND_MS)],
  ['secondOfMinute', ({ parts }) => parts.second],
  ['weekOfWeekyear', weekOfWeekYear],
  ['weekyear', weekYear],
  ['year', ({ parts }) => parts.year],
  ['yearOfCentury', ({ parts }) => parts.year % 100],
  ['yearOfEra', yearOfEra],
]);

/** Methods of a date field: those of a calendar of Java, whose months begin at 0. */
export const CALENDAR_METHODS: ReadonlyMap<string, DateMember> = new Map<string, DateMember>([
  ['getYear', ({ parts }) => parts.year],
  ['getMonth', ({ parts }) => parts.month - 1],
  ['getDayOfMonth', ({ parts }) => parts.day],
  ['getHourOfDay', ({ parts }) => parts.hour],
  ['getMinutes', ({ parts }) => parts.minute],
  ['getSeconds', ({ parts }) => parts.second],
]);

/**
 * Fields of weeks, quarters and Julian days: `IsoFields`, `JulianFields` and `WeekFields`.
 */
import { ScriptObject } from '../values/script-object.ts';
import {
  dateOf,
  dayOfWeek,
  dayOfYear,
  epochDayOf,
  floorDiv,
  floorMod,
  isLeapYear,
  isoWeek,
  lengthOfMonth,
  plusMonths,
  weeksOfYear,
} from './calendar-math.ts';
import { type DayRule, type FieldShape, JavaField, JavaRange, YEAR_MAX } from './temporal-field.ts';
import { QUARTER_YEARS, WEEK_BASED_YEARS } from './temporal-unit.ts';

const range = (...limits: ConstructorParameters<typeof JavaRange>): JavaRange => new JavaRange(...limits);
const ISO_FIELD = 'java.time.temporal.TemporalField';

const quarterOf = (epochDay: number): number => Math.floor((dateOf(epochDay).month - 1) / 3) + 1;

function firstOfQuarter(epochDay: number): number {
  return epochDayOf(dateOf(epochDay).year, (quarterOf(epochDay) - 1) * 3 + 1, 1);
}

const DAY_OF_QUARTER_RULE: DayRule = {
  get: (day) => day - firstOfQuarter(day) + 1,
  set: (day, value) => firstOfQuarter(day) + value - 1,
  range: (day) => {
    const first = firstOfQuarter(day);
    return range(1, plusMonths(first, 3) - first);
  },
};
const WEEK_RULE: DayRule = {
  get: (day) => isoWeek(day).week,
  set: (day, value) => day + (value - isoWeek(day).week) * 7,
  range: (day) => range(1, weeksOfYear(isoWeek(day).year)),
};
const WEEK_YEAR_RULE: DayRule = {
  get: (day) => isoWeek(day).year,
  set: (day, value) => {
    const week = Math.min(isoWeek(day).week, weeksOfYear(value));
    const fourth = epochDayOf(value, 1, 4);
    return fourth - dayOfWeek(fourth) + (week - 1) * 7 + dayOfWeek(day);
  },
};
const QUARTER_RULE: DayRule = {
  get: quarterOf,
  set: (day, value) => plusMonths(day, (value - quarterOf(day)) * 3),
};

const years = range(-YEAR_MAX, YEAR_MAX);
const isoField = (ordinal: number, shape: FieldShape, rule: DayRule): JavaField =>
  new JavaField(ISO_FIELD, ordinal, shape, rule);

export const DAY_OF_QUARTER: JavaField = isoField(
  0,
  ['DAY_OF_QUARTER', 'DayOfQuarter', 'date', range(1, 92, 90), 'DAYS', QUARTER_YEARS],
  DAY_OF_QUARTER_RULE,
);
export const QUARTER_OF_YEAR: JavaField = isoField(
  1,
  ['QUARTER_OF_YEAR', 'QuarterOfYear', 'date', range(1, 4), QUARTER_YEARS, 'YEARS'],
  QUARTER_RULE,
);
export const WEEK_OF_WEEK_BASED_YEAR: JavaField = isoField(
  2,
  ['WEEK_OF_WEEK_BASED_YEAR', 'WeekOfWeekBasedYear', 'date', range(1, 53, 52), 'WEEKS', WEEK_BASED_YEARS],
  WEEK_RULE,
);
export const WEEK_BASED_YEAR: JavaField = isoField(
  3,
  ['WEEK_BASED_YEAR', 'WeekBasedYear', 'date', years, WEEK_BASED_YEARS, 'FOREVER'],
  WEEK_YEAR_RULE,
);

const JULIAN: readonly (readonly [name: string, label: string, daysBefore1970: number])[] = [
  ['JULIAN_DAY', 'JulianDay', 2_440_588],
  ['MODIFIED_JULIAN_DAY', 'ModifiedJulianDay', 40_587],
  ['RATA_DIE', 'RataDie', 719_163],
];
const DAYS_MAX = 365_243_219_162;

export const JULIAN_FIELDS: readonly JavaField[] = JULIAN.map(
  ([name, label, before], i) =>
    new JavaField(
      ISO_FIELD,
      i,
      [name, label, 'date', range(-DAYS_MAX + before, 365_241_780_471 + before), 'DAYS', 'FOREVER'],
      { get: (day) => day + before, set: (_day, value) => value - before },
    ),
);

/** `WeekFields`: weeks that begin with one day of the week, the first of which in a year has so many days of the year. */
export class JavaWeekFields extends ScriptObject {
  readonly javaClass = 'java.time.temporal.WeekFields';
  /** 1 (Monday) to 7. */
  readonly firstDay: number;
  readonly minimalDays: number;

  constructor(firstDay: number, minimalDays: number) {
    super();
    this.firstDay = firstDay;
    this.minimalDays = minimalDays;
  }

  text(): string {
    return `WeekFields[${DAY_NAMES[this.firstDay - 1]},${this.minimalDays}]`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaWeekFields && other.text() === this.text();
  }

  #dayOf(epochDay: number): number {
    return floorMod(dayOfWeek(epochDay) - this.firstDay, 7) + 1;
  }

  /** Number of the week of a day, of a month or year that begins so many days before it. */
  #weekOf(epochDay: number, before: number): number {
    const start = floorMod(before - this.#dayOf(epochDay) + 1, 7);
    const offset = start + 1 > this.minimalDays ? 7 - start : -start;
    return floorDiv(7 + offset + before, 7);
  }

  #field(
    name: string,
    limits: JavaRange,
    [base, of]: readonly [FieldShape[4], FieldShape[5]],
    rule: DayRule,
  ): JavaField {
    return new JavaField(ISO_FIELD, 0, [name, `${name}[${this.text()}]`, 'date', limits, base, of], rule);
  }

  get dayOfWeek(): JavaField {
    const get = (day: number): number => this.#dayOf(day);
    return this.#field('DayOfWeek', range(1, 7), ['DAYS', 'WEEKS'], {
      get,
      set: (day, value) => day + value - get(day),
    });
  }

  get weekOfMonth(): JavaField {
    const get = (day: number): number => this.#weekOf(day, dateOf(day).day - 1);
    return this.#field('WeekOfMonth', range(0, 6, 4, 1), ['WEEKS', 'MONTHS'], this.#weeks(get));
  }

  get weekOfYear(): JavaField {
    const get = (day: number): number => this.#weekOf(day, dayOfYear(day) - 1);
    return this.#field('WeekOfYear', range(0, 54, 52, 1), ['WEEKS', 'YEARS'], this.#weeks(get));
  }

  #weeks(get: (day: number) => number): DayRule {
    return { get, set: (day, value) => day + (value - get(day)) * 7 };
  }

  /** First day of the first week of a year. */
  #start(year: number): number {
    const first = epochDayOf(year, 1, 1);
    const start = first - this.#dayOf(first) + 1;
    return first - start > 7 - this.minimalDays ? start + 7 : start;
  }

  #yearOf(epochDay: number): number {
    const { year } = dateOf(epochDay);
    if (epochDay < this.#start(year)) return year - 1;
    return epochDay >= this.#start(year + 1) ? year + 1 : year;
  }

  get weekOfWeekBasedYear(): JavaField {
    const get = (day: number): number => floorDiv(day - this.#start(this.#yearOf(day)), 7) + 1;
    return this.#field('WeekOfWeekBasedYear', range(1, 53, 52), ['WEEKS', WEEK_BASED_YEARS], this.#weeks(get));
  }

  get weekBasedYear(): JavaField {
    const set = (day: number, value: number): number => this.#start(value) + (day - this.#start(this.#yearOf(day)));
    return this.#field('WeekBasedYear', years, [WEEK_BASED_YEARS, 'FOREVER'], {
      get: (day) => this.#yearOf(day),
      set,
    });
  }
}

const DAY_NAMES = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
export const ISO_WEEKS: JavaWeekFields = new JavaWeekFields(1, 4);
export const SUNDAY_WEEKS: JavaWeekFields = new JavaWeekFields(7, 1);

/** Days of a year, which leap years have one more of. */
export function lengthOfYear(year: number): number {
  return isLeapYear(year) ? 366 : 365;
}

/** Days of the month of a date. */
export function lengthOfMonthOf(epochDay: number): number {
  const { year, month } = dateOf(epochDay);
  return lengthOfMonth(year, month);
}

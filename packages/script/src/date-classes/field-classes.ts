/**
 * Fields, ranges, adjusters and queries: what dates are read by.
 */

import { call, nativeFunction } from '../contract/calls.ts';
import { type Invoke, type ScriptClass, scriptClass } from '../contract/script-class.ts';
import type { ScriptFunction } from '../machine/script-machine.ts';
import { dateOf, dayOfWeek, isLeapYear, lengthOfMonth, plusMonths } from '../time/calendar-math.ts';
import type { JavaEnum } from '../time/java-enum.ts';
import { DAYS } from '../time/java-enum.ts';
import type { JavaLocale } from '../time/java-locale.ts';
import { JavaLocalDate, JavaLocalTime } from '../time/local-values.ts';
import { JavaTemporal } from '../time/temporal.ts';
import { CHRONO_FIELD, CHRONO_FIELDS, chronoField, type JavaField, JavaRange } from '../time/temporal-field.ts';
import { chronoUnit, QUARTER_YEARS, WEEK_BASED_YEARS } from '../time/temporal-unit.ts';
import { dateTimeException } from '../time/time-errors.ts';
import { offsetOfSeconds } from '../time/time-zones.ts';
import {
  DAY_OF_QUARTER,
  ISO_WEEKS,
  JavaWeekFields,
  JULIAN_FIELDS,
  QUARTER_OF_YEAR,
  SUNDAY_WEEKS,
  WEEK_BASED_YEAR,
  WEEK_OF_WEEK_BASED_YEAR,
} from '../time/week-fields.ts';
import { weekFieldsOf } from '../time/week-rules.ts';
import { classCast } from '../values/java-exception.ts';
import { enumMembers } from './enum-members.ts';
import {
  ACCESSOR,
  ADJUSTER,
  adjusted,
  COMPARABLE,
  JavaAdjuster,
  OBJECT,
  required,
  TEMPORAL,
} from './temporal-members.ts';

const FIELD = 'java.time.temporal.TemporalField';

const CLASS_OF_ACCESSOR = scriptClass(ACCESSOR, [OBJECT], {
  'int get(TemporalField)': (_m, self: JavaTemporal | JavaEnum, field: JavaField) =>
    temporalOf(self).getInt(required(field)),
  'long getLong(TemporalField)': (_m, self: JavaTemporal | JavaEnum, field: JavaField) =>
    BigInt(temporalOf(self).get(required(field))),
  'boolean isSupported(def)': (_m, self: JavaTemporal, what) =>
    'kind' in required(what) && 'duration' in what ? self.supportsUnit(what) : self.supports(what),
  'def query(Function)': (m, self: JavaTemporal, query: ScriptFunction) => call(m, query, self),
  'ValueRange range(TemporalField)': (_m, self: JavaTemporal | JavaEnum, field: JavaField) =>
    temporalOf(self).range(required(field)),
});

/** A day of the week or a month as a date that has it. */
function temporalOf(self: JavaTemporal | JavaEnum): JavaTemporal {
  if (self instanceof JavaTemporal) return self;
  // 2024-01-01 is a Monday.
  const monday = 19_723;
  const day = self.javaClass === 'java.time.Month' ? plusMonths(monday, self.ordinal) : monday + self.ordinal;
  return new JavaLocalDate(day);
}

const CLASS_OF_TEMPORAL = scriptClass(TEMPORAL, [ACCESSOR, OBJECT], {
  'long until(Temporal,TemporalUnit)': (_m, self: JavaTemporal, end: JavaTemporal, unit) =>
    self.until(required(end), required(unit)),
});

const CLASS_OF_FIELD = scriptClass(FIELD, [COMPARABLE, OBJECT], {
  'TemporalUnit getBaseUnit()': (_m, self: JavaField) => self.baseUnit,
  'TemporalUnit getRangeUnit()': (_m, self: JavaField) => self.rangeUnit,
  'String getDisplayName(Locale)': (_m, self: JavaField, locale: JavaLocale) => required(locale) && self.label,
  'boolean isDateBased()': (_m, self: JavaField) => self.kind === 'date',
  'boolean isTimeBased()': (_m, self: JavaField) => self.kind === 'time',
  'boolean isSupportedBy(TemporalAccessor)': (_m, self: JavaField, temporal: JavaTemporal) =>
    required(temporal).supports(self),
  'long getFrom(TemporalAccessor)': (_m, self: JavaField, temporal: JavaTemporal) =>
    BigInt(required(temporal).get(self)),
  'Temporal adjustInto(Temporal,long)': (_m, self: JavaField, temporal: JavaTemporal, value: bigint) =>
    required(temporal).with(self, Number(value)),
  'ValueRange range()': (_m, self: JavaField) => self.range,
  'ValueRange rangeRefinedBy(TemporalAccessor)': (_m, self: JavaField, temporal: JavaTemporal) =>
    required(temporal).range(self),
});

const CLASS_OF_CHRONO_FIELD = scriptClass(CHRONO_FIELD, [FIELD, 'java.lang.Enum', COMPARABLE, OBJECT], {
  ...enumMembers(CHRONO_FIELD, 'ChronoField', CHRONO_FIELDS),
  'long checkValidValue(long)': (_m, self: JavaField, value: bigint) => BigInt(self.checked(Number(value))),
  'int checkValidIntValue(long)': (_m, self: JavaField, value: bigint) => self.checked(Number(value)),
});

const checkedIn = (range: JavaRange, value: bigint, field: JavaField): number => {
  if (range.has(Number(value))) return Number(value);
  throw dateTimeException(`Invalid value for ${required(field).label} (valid values ${range.text()}): ${value}`);
};

const RANGE = scriptClass('java.time.temporal.ValueRange', [OBJECT], {
  'static ValueRange of(long,long)': (_m, _s, min: bigint, max: bigint) => new JavaRange(Number(min), Number(max)),
  'static ValueRange of(long,long,long)': (_m, _s, min: bigint, small: bigint, max: bigint) =>
    new JavaRange(Number(min), Number(max), Number(small)),
  'static ValueRange of(long,long,long,long)': (_m, _s, min: bigint, large: bigint, small: bigint, max: bigint) =>
    new JavaRange(Number(min), Number(max), Number(small), Number(large)),
  'long getMinimum()': (_m, self: JavaRange) => BigInt(self.minimum),
  'long getLargestMinimum()': (_m, self: JavaRange) => BigInt(self.largestMinimum),
  'long getSmallestMaximum()': (_m, self: JavaRange) => BigInt(self.smallestMaximum),
  'long getMaximum()': (_m, self: JavaRange) => BigInt(self.maximum),
  'boolean isFixed()': (_m, self: JavaRange) =>
    self.minimum === self.largestMinimum && self.maximum === self.smallestMaximum,
  'boolean isIntValue()': (_m, self: JavaRange) => self.isInt,
  'boolean isValidValue(long)': (_m, self: JavaRange, value: bigint) => self.has(Number(value)),
  'boolean isValidIntValue(long)': (_m, self: JavaRange, value: bigint) => self.isInt && self.has(Number(value)),
  'long checkValidValue(long,TemporalField)': (_m, self: JavaRange, value: bigint, field: JavaField) =>
    BigInt(checkedIn(self, value, field)),
  'int checkValidIntValue(long,TemporalField)': (_m, self: JavaRange, value: bigint, field: JavaField) =>
    checkedIn(self, value, field),
});

const WEEK_FIELDS = scriptClass('java.time.temporal.WeekFields', [OBJECT], {
  'const WeekFields ISO': ISO_WEEKS,
  'const WeekFields SUNDAY_START': SUNDAY_WEEKS,
  'const TemporalUnit WEEK_BASED_YEARS': WEEK_BASED_YEARS,
  'static WeekFields of(Locale)': (_m, _s, locale: JavaLocale) => weekFieldsOf(required(locale)),
  'static WeekFields of(DayOfWeek,int)': (_m, _s, day: JavaEnum, minimal: number) => {
    if (minimal < 1 || minimal > 7) throw dateTimeException('Minimal number of days is invalid');
    return new JavaWeekFields(required(day).ordinal + 1, minimal);
  },
  'DayOfWeek getFirstDayOfWeek()': (_m, self: JavaWeekFields) => DAYS[self.firstDay - 1],
  'int getMinimalDaysInFirstWeek()': (_m, self: JavaWeekFields) => self.minimalDays,
  'TemporalField dayOfWeek()': (_m, self: JavaWeekFields) => self.dayOfWeek,
  'TemporalField weekOfMonth()': (_m, self: JavaWeekFields) => self.weekOfMonth,
  'TemporalField weekOfYear()': (_m, self: JavaWeekFields) => self.weekOfYear,
  'TemporalField weekOfWeekBasedYear()': (_m, self: JavaWeekFields) => self.weekOfWeekBasedYear,
  'TemporalField weekBasedYear()': (_m, self: JavaWeekFields) => self.weekBasedYear,
});

/** An adjuster that moves a date, whatever its time. */
const moving = (move: (epochDay: number) => number): JavaAdjuster =>
  new JavaAdjuster((_m, temporal) => {
    const field = chronoField('EPOCH_DAY');
    return temporal.with(field, move(temporal.get(field)));
  });

const firstOfMonth = (day: number): number => day - dateOf(day).day + 1;
const lastOfMonth = (day: number): number => {
  const { year, month } = dateOf(day);
  return firstOfMonth(day) + lengthOfMonth(year, month) - 1;
};
const firstOfYear = (day: number): number => plusMonths(firstOfMonth(day), 1 - dateOf(day).month);
/** Days until the next such day of the week, from 0. */
const ahead = (day: number, { ordinal }: JavaEnum): number => (ordinal + 1 - dayOfWeek(day) + 7) % 7;

function inMonth(day: number, count: number, weekday: JavaEnum): number {
  const first = firstOfMonth(day);
  if (count >= 0) return first + ahead(first, weekday) + (count - 1) * 7;
  const last = lastOfMonth(day);
  return last - ((dayOfWeek(last) - weekday.ordinal - 1 + 7) % 7) + (count + 1) * 7;
}

const weekdayRule =
  (move: (epochDay: number, day: JavaEnum) => number): Invoke =>
  (_m, _s, day: JavaEnum) => {
    const weekday = required(day);
    return moving((epochDay) => move(epochDay, weekday));
  };

const ADJUSTERS = scriptClass('java.time.temporal.TemporalAdjusters', [OBJECT], {
  'static TemporalAdjuster firstDayOfMonth()': () => moving(firstOfMonth),
  'static TemporalAdjuster lastDayOfMonth()': () => moving(lastOfMonth),
  'static TemporalAdjuster firstDayOfNextMonth()': () => moving((day) => plusMonths(firstOfMonth(day), 1)),
  'static TemporalAdjuster firstDayOfYear()': () => moving(firstOfYear),
  'static TemporalAdjuster lastDayOfYear()': () =>
    moving((day) => firstOfYear(day) + (isLeapYear(dateOf(day).year) ? 365 : 364)),
  'static TemporalAdjuster firstDayOfNextYear()': () => moving((day) => plusMonths(firstOfYear(day), 12)),
  'static TemporalAdjuster firstInMonth(DayOfWeek)': weekdayRule((day, weekday) => inMonth(day, 1, weekday)),
  'static TemporalAdjuster lastInMonth(DayOfWeek)': weekdayRule((day, weekday) => inMonth(day, -1, weekday)),
  'static TemporalAdjuster dayOfWeekInMonth(int,DayOfWeek)': (_m, _s, count: number, weekday: JavaEnum) =>
    moving((day) => inMonth(day, count, required(weekday))),
  'static TemporalAdjuster next(DayOfWeek)': weekdayRule((day, weekday) => day + (ahead(day, weekday) || 7)),
  'static TemporalAdjuster nextOrSame(DayOfWeek)': weekdayRule((day, weekday) => day + ahead(day, weekday)),
  'static TemporalAdjuster previous(DayOfWeek)': weekdayRule((day, weekday) => day - (7 - ahead(day, weekday))),
  'static TemporalAdjuster previousOrSame(DayOfWeek)': weekdayRule(
    (day, weekday) => day - ((7 - ahead(day, weekday)) % 7),
  ),
  'static TemporalAdjuster ofDateAdjuster(Function)': (_m, _s, fn: ScriptFunction) =>
    new JavaAdjuster((m, temporal) => {
      const made = call(m, required(fn), JavaLocalDate.from(temporal));
      if (!(made instanceof JavaLocalDate)) throw classCast('cannot implicitly cast def to java.time.LocalDate');
      return adjusted(m, temporal, made);
    }),
});

const CLASS_OF_ADJUSTER = scriptClass(ADJUSTER, [OBJECT], {
  'Temporal adjustInto(Temporal)': (m, self, temporal: JavaTemporal) => adjusted(m, required(temporal), self),
});

const query =
  (of: (temporal: JavaTemporal) => unknown): Invoke =>
  () =>
    nativeFunction(1, (_m, [temporal]) => (temporal instanceof JavaTemporal ? of(temporal) : null));

const QUERIES = scriptClass('java.time.temporal.TemporalQueries', [OBJECT], {
  'static Function localDate()': query(({ epochDay }) => (epochDay === null ? null : new JavaLocalDate(epochDay))),
  'static Function localTime()': query(({ nanoOfDay }) => (nanoOfDay === null ? null : new JavaLocalTime(nanoOfDay))),
  'static Function zone()': query(({ zone }) => zone),
  'static Function zoneId()': query(({ zone }) => (zone?.javaClass === 'java.time.ZoneId' ? zone : null)),
  'static Function offset()': query(({ offsetSeconds }) =>
    offsetSeconds === null ? null : offsetOfSeconds(offsetSeconds),
  ),
  'static Function precision()': query(({ nanoOfDay, epochDay }) =>
    nanoOfDay !== null ? chronoUnit('NANOS') : epochDay === null ? null : chronoUnit('DAYS'),
  ),
});

export const FIELD_CLASSES: readonly ScriptClass[] = [
  CLASS_OF_ACCESSOR,
  CLASS_OF_TEMPORAL,
  CLASS_OF_FIELD,
  CLASS_OF_CHRONO_FIELD,
  RANGE,
  WEEK_FIELDS,
  ADJUSTERS,
  CLASS_OF_ADJUSTER,
  QUERIES,
  scriptClass('java.time.temporal.IsoFields', [OBJECT], {
    'const TemporalField DAY_OF_QUARTER': DAY_OF_QUARTER,
    'const TemporalField QUARTER_OF_YEAR': QUARTER_OF_YEAR,
    'const TemporalField WEEK_OF_WEEK_BASED_YEAR': WEEK_OF_WEEK_BASED_YEAR,
    'const TemporalField WEEK_BASED_YEAR': WEEK_BASED_YEAR,
    'const TemporalUnit QUARTER_YEARS': QUARTER_YEARS,
    'const TemporalUnit WEEK_BASED_YEARS': WEEK_BASED_YEARS,
  }),
  scriptClass(
    'java.time.temporal.JulianFields',
    [OBJECT],
    Object.fromEntries(JULIAN_FIELDS.map((field) => [`const TemporalField ${field.name}`, field])),
  ),
];

/**
 * `Year`, `YearMonth` and `MonthDay`.
 */

import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { epochDayOf, isLeapYear, lengthOfMonth } from '../time/calendar-math.ts';
import { type JavaEnum, MONTHS } from '../time/java-enum.ts';
import { MONTH_DAY_FORMAT, YEAR_FORMAT, YEAR_MONTH_FORMAT } from '../time/java-formatter.ts';
import { checkedDay, dayOfYearIn } from '../time/local-temporal.ts';
import { JavaLocalDate } from '../time/local-values.ts';
import { JavaMonthDay, JavaYear, JavaYearMonth } from '../time/partial-dates.ts';
import { chronoField, YEAR_MAX } from '../time/temporal-field.ts';
import { lengthOfYear } from '../time/week-fields.ts';
import {
  byOrder,
  FORMAT_MEMBER,
  orderMembers,
  parseMembers,
  required,
  TEMPORAL_SUPERS,
  temporalMembers,
} from './temporal-members.ts';

function dateIn(year: number, { month, dayOfMonth }: JavaMonthDay): JavaLocalDate {
  return new JavaLocalDate(epochDayOf(year, month, Math.min(dayOfMonth, lengthOfMonth(year, month))));
}

const isValid = (day: JavaMonthDay, year: number): boolean =>
  day.month !== 2 || day.dayOfMonth !== 29 || isLeapYear(year);

const YEAR = scriptClass('java.time.Year', [...TEMPORAL_SUPERS], {
  'const int MIN_VALUE': -YEAR_MAX,
  'const int MAX_VALUE': YEAR_MAX,
  'static Year of(int)': (_m, _s, year: number) => JavaYear.of(year),
  'static boolean isLeap(long)': (_m, _s, year: bigint) => isLeapYear(Number(year)),
  ...parseMembers('Year', YEAR_FORMAT, (parsed) => JavaYear.from(parsed)),
  ...temporalMembers('Year', [['Years', 'YEARS']]),
  ...FORMAT_MEMBER,
  ...orderMembers('Year', byOrder),
  'int getValue()': (_m, self: JavaYear) => self.year,
  'boolean isLeap()': (_m, self: JavaYear) => isLeapYear(self.year),
  'boolean isValidMonthDay(MonthDay)': (_m, self: JavaYear, day: JavaMonthDay) => isValid(required(day), self.year),
  'int length()': (_m, self: JavaYear) => lengthOfYear(self.year),
  'LocalDate atDay(int)': (_m, self: JavaYear, day: number) => new JavaLocalDate(dayOfYearIn(self.year, day)),
  'YearMonth atMonth(int)': (_m, self: JavaYear, month: number) => JavaYearMonth.of(self.year, month),
  'LocalDate atMonthDay(MonthDay)': (_m, self: JavaYear, day: JavaMonthDay) => dateIn(self.year, required(day)),
});

const YEAR_MONTH = scriptClass('java.time.YearMonth', [...TEMPORAL_SUPERS], {
  'static YearMonth of(int,int)': (_m, _s, year: number, month: number) => JavaYearMonth.of(year, month),
  ...parseMembers('YearMonth', YEAR_MONTH_FORMAT, (parsed) => JavaYearMonth.from(parsed)),
  ...temporalMembers('YearMonth', [
    ['Months', 'MONTHS'],
    ['Years', 'YEARS'],
  ]),
  ...FORMAT_MEMBER,
  ...orderMembers('YearMonth', byOrder),
  'int getYear()': (_m, self: JavaYearMonth) => self.year,
  'int getMonthValue()': (_m, self: JavaYearMonth) => self.month,
  'Month getMonth()': (_m, self: JavaYearMonth) => MONTHS[self.month - 1],
  'boolean isLeapYear()': (_m, self: JavaYearMonth) => isLeapYear(self.year),
  'boolean isValidDay(int)': (_m, self: JavaYearMonth, day: number) =>
    day >= 1 && day <= lengthOfMonth(self.year, self.month),
  'int lengthOfMonth()': (_m, self: JavaYearMonth) => lengthOfMonth(self.year, self.month),
  'int lengthOfYear()': (_m, self: JavaYearMonth) => lengthOfYear(self.year),
  'LocalDate atDay(int)': (_m, self: JavaYearMonth, day: number) =>
    new JavaLocalDate(checkedDay(self.year, self.month, day)),
  'LocalDate atEndOfMonth()': (_m, self: JavaYearMonth) =>
    new JavaLocalDate(self.first + lengthOfMonth(self.year, self.month) - 1),
  'YearMonth withMonth(int)': (_m, self: JavaYearMonth, month: number) =>
    self.with(chronoField('MONTH_OF_YEAR'), month),
  'YearMonth withYear(int)': (_m, self: JavaYearMonth, year: number) => self.with(chronoField('YEAR'), year),
});

const atMonth = (self: JavaMonthDay, month: number): JavaMonthDay =>
  new JavaMonthDay(month, Math.min(self.dayOfMonth, lengthOfMonth(2000, chronoField('MONTH_OF_YEAR').checked(month))));

const MONTH_DAY = scriptClass('java.time.MonthDay', TEMPORAL_SUPERS.slice(1), {
  'static MonthDay of(int,int)': (_m, _s, month: number, day: number) => new JavaMonthDay(month, day),
  ...parseMembers('MonthDay', MONTH_DAY_FORMAT, (parsed) => JavaMonthDay.from(parsed)),
  ...FORMAT_MEMBER,
  ...orderMembers('MonthDay', byOrder),
  'int getDayOfMonth()': (_m, self: JavaMonthDay) => self.dayOfMonth,
  'int getMonthValue()': (_m, self: JavaMonthDay) => self.month,
  'Month getMonth()': (_m, self: JavaMonthDay) => MONTHS[self.month - 1],
  'boolean isValidYear(int)': (_m, self: JavaMonthDay, year: number) => isValid(self, year),
  'LocalDate atYear(int)': (_m, self: JavaMonthDay, year: number) => dateIn(year, self),
  'MonthDay with(Month)': (_m, self: JavaMonthDay, month: JavaEnum) => atMonth(self, required(month).ordinal + 1),
  'MonthDay withMonth(int)': (_m, self: JavaMonthDay, month: number) => atMonth(self, month),
  'MonthDay withDayOfMonth(int)': (_m, self: JavaMonthDay, day: number) => new JavaMonthDay(self.month, day),
});

export const PARTIAL_CLASSES: readonly ScriptClass[] = [YEAR, YEAR_MONTH, MONTH_DAY];

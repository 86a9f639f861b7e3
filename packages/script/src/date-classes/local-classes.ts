/**
 * `LocalDate`, `LocalTime` and `LocalDateTime`.
 */

import { type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { EPOCH_DAY_MAX, EPOCH_DAY_MIN, isLeapYear, NANOS_PER_DAY, NANOS_PER_SECOND } from '../time/calendar-math.ts';
import { JavaDateTime, JavaInstant, truncatedNanos } from '../time/instants.ts';
import { ISO_LOCAL_DATE, ISO_LOCAL_DATE_TIME, ISO_LOCAL_TIME } from '../time/java-formatter.ts';
import { checkedDay, dayOfYearIn, nanoOfDayOf } from '../time/local-temporal.ts';
import { JavaLocalDate, JavaLocalDateTime, JavaLocalTime, LAST_NANO } from '../time/local-values.ts';
import { JavaOffsetDateTime, JavaOffsetTime } from '../time/offset-values.ts';
import { chronoField } from '../time/temporal-field.ts';
import type { JavaUnit } from '../time/temporal-unit.ts';
import { periodBetween } from '../time/time-amounts.ts';
import type { JavaOffset, JavaZone } from '../time/time-zones.ts';
import { lengthOfMonthOf, lengthOfYear } from '../time/week-fields.ts';
import {
  byOrder,
  DATE_STEPS,
  dateMembers,
  FORMAT_MEMBER,
  orderMembers,
  parseMembers,
  required,
  TEMPORAL_SUPERS,
  TIME_STEPS,
  temporalMembers,
  timeMembers,
} from './temporal-members.ts';

type Six = [number, number, number, number, number, number];

const timeOf = (hour: number, minute: number, second = 0, nano = 0): number =>
  nanoOfDayOf({ hour, minute, second, nano });

function dateTimeOf(year: number, month: number, day: number, ...time: readonly number[]): JavaLocalDateTime {
  const [hour = 0, minute = 0, second = 0, nano = 0] = time;
  return new JavaLocalDateTime(checkedDay(year, month, day), timeOf(hour, minute, second, nano));
}

const LOCAL_DATE = scriptClass('java.time.LocalDate', [...TEMPORAL_SUPERS], {
  'const LocalDate MIN': new JavaLocalDate(EPOCH_DAY_MIN),
  'const LocalDate MAX': new JavaLocalDate(EPOCH_DAY_MAX),
  'static LocalDate of(int,int,int)': (_m, _s, year: number, month: number, day: number) =>
    new JavaLocalDate(checkedDay(year, month, day)),
  'static LocalDate ofEpochDay(long)': (_m, _s, day: bigint) =>
    new JavaLocalDate(chronoField('EPOCH_DAY').checked(Number(day))),
  'static LocalDate ofYearDay(int,int)': (_m, _s, year: number, day: number) =>
    new JavaLocalDate(dayOfYearIn(chronoField('YEAR').checked(year), day)),
  ...parseMembers('LocalDate', ISO_LOCAL_DATE, (parsed) => JavaLocalDate.from(parsed)),
  ...temporalMembers('LocalDate', DATE_STEPS),
  ...dateMembers('LocalDate'),
  ...FORMAT_MEMBER,
  ...orderMembers('LocalDate', byOrder),
  'int lengthOfMonth()': (_m, self: JavaLocalDate) => lengthOfMonthOf(self.epochDay),
  'int lengthOfYear()': (_m, self: JavaLocalDate) => lengthOfYear(self.dateParts.year),
  'boolean isLeapYear()': (_m, self: JavaLocalDate) => isLeapYear(self.dateParts.year),
  'long toEpochDay()': (_m, self: JavaLocalDate) => BigInt(self.epochDay),
  'Period until(LocalDate)': (_m, self: JavaLocalDate, end: JavaLocalDate) =>
    periodBetween(self.epochDay, required(end).epochDay),
  'LocalDateTime atStartOfDay()': (_m, self: JavaLocalDate) => new JavaLocalDateTime(self.epochDay, 0),
  'ZonedDateTime atStartOfDay(ZoneId)': (_m, self: JavaLocalDate, zone: JavaZone) =>
    JavaDateTime.ofLocal(self.epochDay, 0, required(zone)),
  'LocalDateTime atTime(LocalTime)': (_m, self: JavaLocalDate, time: JavaLocalTime) =>
    new JavaLocalDateTime(self.epochDay, required(time).nanoOfDay),
  'LocalDateTime atTime(int,int)': (_m, self: JavaLocalDate, hour: number, minute: number) =>
    new JavaLocalDateTime(self.epochDay, timeOf(hour, minute)),
  'LocalDateTime atTime(int,int,int)': (_m, self: JavaLocalDate, hour: number, minute: number, second: number) =>
    new JavaLocalDateTime(self.epochDay, timeOf(hour, minute, second)),
  'LocalDateTime atTime(int,int,int,int)': (_m, self: JavaLocalDate, ...time: [number, number, number, number]) =>
    new JavaLocalDateTime(self.epochDay, timeOf(...time)),
});

const LOCAL_TIME = scriptClass('java.time.LocalTime', [...TEMPORAL_SUPERS], {
  'const LocalTime MIN': new JavaLocalTime(0),
  'const LocalTime MAX': new JavaLocalTime(LAST_NANO),
  'const LocalTime MIDNIGHT': new JavaLocalTime(0),
  'const LocalTime NOON': new JavaLocalTime(NANOS_PER_DAY / 2),
  'static LocalTime of(int,int)': (_m, _s, hour: number, minute: number) => new JavaLocalTime(timeOf(hour, minute)),
  'static LocalTime of(int,int,int)': (_m, _s, hour: number, minute: number, second: number) =>
    new JavaLocalTime(timeOf(hour, minute, second)),
  'static LocalTime of(int,int,int,int)': (_m, _s, ...time: [number, number, number, number]) =>
    new JavaLocalTime(timeOf(...time)),
  'static LocalTime ofNanoOfDay(long)': (_m, _s, nanos: bigint) =>
    new JavaLocalTime(chronoField('NANO_OF_DAY').checked(Number(nanos))),
  'static LocalTime ofSecondOfDay(long)': (_m, _s, seconds: bigint) =>
    new JavaLocalTime(chronoField('SECOND_OF_DAY').checked(Number(seconds)) * NANOS_PER_SECOND),
  ...parseMembers('LocalTime', ISO_LOCAL_TIME, (parsed) => JavaLocalTime.from(parsed)),
  ...temporalMembers('LocalTime', TIME_STEPS),
  ...timeMembers('LocalTime'),
  ...FORMAT_MEMBER,
  ...orderMembers('LocalTime', byOrder),
  'long toNanoOfDay()': (_m, self: JavaLocalTime) => BigInt(self.nanoOfDay),
  'int toSecondOfDay()': (_m, self: JavaLocalTime) => Math.floor(self.nanoOfDay / NANOS_PER_SECOND),
  'LocalTime truncatedTo(TemporalUnit)': (_m, self: JavaLocalTime, unit: JavaUnit) =>
    new JavaLocalTime(truncatedNanos(self.nanoOfDay, required(unit))),
  'LocalDateTime atDate(LocalDate)': (_m, self: JavaLocalTime, date: JavaLocalDate) =>
    new JavaLocalDateTime(required(date).epochDay, self.nanoOfDay),
  'OffsetTime atOffset(ZoneOffset)': (_m, self: JavaLocalTime, offset: JavaOffset) =>
    new JavaOffsetTime(self.nanoOfDay, required(offset)),
});

const LOCAL_DATE_TIME = scriptClass('java.time.LocalDateTime', [...TEMPORAL_SUPERS], {
  'const LocalDateTime MIN': new JavaLocalDateTime(EPOCH_DAY_MIN, 0),
  'const LocalDateTime MAX': new JavaLocalDateTime(EPOCH_DAY_MAX, LAST_NANO),
  'static LocalDateTime of(LocalDate,LocalTime)': (_m, _s, date: JavaLocalDate, time: JavaLocalTime) =>
    new JavaLocalDateTime(required(date).epochDay, required(time).nanoOfDay),
  'static LocalDateTime of(int,int,int,int,int)': (_m, _s, ...parts: [number, number, number, number, number]) =>
    dateTimeOf(...parts),
  'static LocalDateTime of(int,int,int,int,int,int)': (_m, _s, ...parts: Six) => dateTimeOf(...parts),
  'static LocalDateTime of(int,int,int,int,int,int,int)': (_m, _s, ...parts: [...Six, number]) => dateTimeOf(...parts),
  'static LocalDateTime ofEpochSecond(long,int,ZoneOffset)': (
    _m,
    _s,
    seconds: bigint,
    nano: number,
    offset: JavaOffset,
  ) =>
    JavaLocalDateTime.ofSeconds(
      Number(seconds) + required(offset).seconds,
      chronoField('NANO_OF_SECOND').checked(nano),
    ),
  'static LocalDateTime ofInstant(Instant,ZoneId)': (_m, _s, instant: JavaInstant, zone: JavaZone) =>
    JavaLocalDateTime.from(JavaDateTime.ofInstant(required(instant).instant, required(zone))),
  ...parseMembers('LocalDateTime', ISO_LOCAL_DATE_TIME, (parsed) => JavaLocalDateTime.from(parsed)),
  ...temporalMembers('LocalDateTime', [...DATE_STEPS, ...TIME_STEPS]),
  ...dateMembers('LocalDateTime'),
  ...timeMembers('LocalDateTime'),
  ...FORMAT_MEMBER,
  ...orderMembers('LocalDateTime', byOrder),
  'LocalDate toLocalDate()': (_m, self: JavaLocalDateTime) => new JavaLocalDate(self.epochDay),
  'LocalTime toLocalTime()': (_m, self: JavaLocalDateTime) => new JavaLocalTime(self.nanoOfDay),
  'LocalDateTime truncatedTo(TemporalUnit)': (_m, self: JavaLocalDateTime, unit: JavaUnit) =>
    new JavaLocalDateTime(self.epochDay, truncatedNanos(self.nanoOfDay, required(unit))),
  'ZonedDateTime atZone(ZoneId)': (_m, self: JavaLocalDateTime, zone: JavaZone) =>
    JavaDateTime.ofLocal(self.epochDay, self.nanoOfDay, required(zone)),
  'OffsetDateTime atOffset(ZoneOffset)': (_m, self: JavaLocalDateTime, offset: JavaOffset) =>
    new JavaOffsetDateTime(self.epochDay, self.nanoOfDay, required(offset)),
  'Instant toInstant(ZoneOffset)': (_m, self: JavaLocalDateTime, offset: JavaOffset) =>
    JavaInstant.from(new JavaOffsetDateTime(self.epochDay, self.nanoOfDay, required(offset))),
  'long toEpochSecond(ZoneOffset)': (_m, self: JavaLocalDateTime, offset: JavaOffset) =>
    BigInt(new JavaOffsetDateTime(self.epochDay, self.nanoOfDay, required(offset)).instant[0]),
});

export const LOCAL_CLASSES: readonly ScriptClass[] = [LOCAL_DATE, LOCAL_TIME, LOCAL_DATE_TIME];

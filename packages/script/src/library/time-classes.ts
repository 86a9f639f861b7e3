/**
 * `ZonedDateTime`, `Instant`, `Duration`, `ChronoUnit`, `DateTimeFormatter` and what goes with them.
 */
import { isShoalError } from '@shoal/core';
import { type DateFormatter, dateFormatter } from '@shoal/schema';
import { JavaException } from '../values/java-exception.ts';
import {
  JavaDateTime,
  JavaDuration,
  JavaEnum,
  JavaInstant,
  JavaZone,
  type LocalParts,
  localMs,
  plusMonths,
  UTC_ZONE,
} from '../values/java-time.ts';
import { ScriptObject } from '../values/script-object.ts';
import { type Invoke, type ScriptClass, scriptClass } from './script-class.ts';

const OBJECT = 'java.lang.Object';
const COMPARABLE = 'java.lang.Comparable';
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const UNIT = 'java.time.temporal.ChronoUnit';
const UNITS: readonly (readonly [name: string, plural: string, ms: number, months: number])[] = [
  ['MILLIS', 'Millis', 1, 0],
  ['SECONDS', 'Seconds', SECOND_MS, 0],
  ['MINUTES', 'Minutes', MINUTE_MS, 0],
  ['HOURS', 'Hours', HOUR_MS, 0],
  ['DAYS', 'Days', DAY_MS, 0],
  ['WEEKS', 'Weeks', 7 * DAY_MS, 0],
  ['MONTHS', 'Months', 0, 1],
  ['YEARS', 'Years', 0, 12],
];
const MONTHS_OF: ReadonlyMap<string, number> = new Map(UNITS.map(([name, , , months]) => [name, months]));
const UNIT_VALUES: readonly JavaEnum[] = UNITS.map(([name, , ms]) => new JavaEnum(UNIT, name, ms));

const DAY_NAMES = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'];
const MONTH_NAMES = [
  ...['JANUARY', 'FEBRUARY', 'MARCH', 'APRIL', 'MAY', 'JUNE'],
  ...['JULY', 'AUGUST', 'SEPTEMBER', 'OCTOBER', 'NOVEMBER', 'DECEMBER'],
];
const DAYS = DAY_NAMES.map((name, i) => new JavaEnum('java.time.DayOfWeek', name, i + 1));
const MONTHS = MONTH_NAMES.map((name, i) => new JavaEnum('java.time.Month', name, i + 1));

class JavaFormatter extends ScriptObject {
  readonly javaClass = 'java.time.format.DateTimeFormatter';
  readonly pattern: string;
  readonly formatter: DateFormatter;
  readonly zone: JavaZone | null;

  constructor(pattern: string, zone: JavaZone | null = null) {
    super();
    this.pattern = pattern;
    this.zone = zone;
    try {
      this.formatter = dateFormatter(pattern);
    } catch (error) {
      if (!isShoalError(error)) throw error;
      throw new JavaException('java.lang.IllegalArgumentException', error.reason);
    }
  }

  text(): string {
    return this.pattern;
  }
}

function parsed(text: string, formatter: JavaFormatter): JavaDateTime {
  const failure = (): JavaException =>
    new JavaException('java.time.format.DateTimeParseException', `Text '${text}' could not be parsed at index 0`);
  try {
    const zone = /\[([^\]]+)\]$/.exec(text);
    const plain = zone === null ? text : text.slice(0, zone.index);
    const offset = /(Z|[+-]\d\d:?\d\d)$/.exec(plain)?.[1];
    const home =
      zone !== null ? JavaZone.of(zone[1] as string) : offset === undefined ? formatter.zone : JavaZone.of(offset);
    const local = formatter.formatter.parseMs(plain);
    const date = new JavaDateTime(local, home ?? UTC_ZONE);
    // A text that names no offset is one of the clock of its zone.
    return offset === undefined ? date.withLocal(local) : date;
  } catch (error) {
    if (!isShoalError(error)) throw error;
    throw failure();
  }
}

const ISO = new JavaFormatter('strict_date_time||strict_date_time_no_millis||strict_date_optional_time');

type Zoned = JavaDateTime;
const part =
  (name: keyof LocalParts): Invoke =>
  (_m, self: Zoned) =>
    self.parts[name];
const withPart =
  (name: keyof LocalParts): Invoke =>
  (_m, self: Zoned, value: number) =>
    self.withLocal(localMs({ ...self.parts, [name]: value }));

function plus(self: Zoned, unit: JavaEnum, count: number): Zoned {
  const months = MONTHS_OF.get(unit.name) ?? 0;
  if (months > 0) return plusMonths(self, months * count);
  // Days are those of the calendar, which a change of the clock makes longer or shorter; hours are not.
  if (unit.value >= DAY_MS) return self.withLocal(self.localMs + unit.value * count);
  return new JavaDateTime(self.ms + unit.value * count, self.zone);
}

function truncated(self: Zoned, unit: JavaEnum): Zoned {
  if (unit.value === 0 || unit.value > DAY_MS) {
    throw new JavaException(
      'java.time.temporal.UnsupportedTemporalTypeException',
      'Unit is too large to be used for truncation',
    );
  }
  return self.withLocal(Math.floor(self.localMs / unit.value) * unit.value);
}

function between(unit: JavaEnum, from: Zoned | JavaInstant, to: Zoned | JavaInstant): bigint {
  const months = MONTHS_OF.get(unit.name) ?? 0;
  if (months === 0) return BigInt(Math.trunc((to.ms - from.ms) / unit.value));
  const start = from instanceof JavaDateTime ? from : new JavaDateTime(from.ms);
  const end = new JavaDateTime(to.ms, start.zone);
  let count = (end.parts.year - start.parts.year) * 12 + end.parts.month - start.parts.month;
  if (count > 0 && plusMonths(start, count).ms > end.ms) count--;
  if (count < 0 && plusMonths(start, count).ms < end.ms) count++;
  return BigInt(Math.trunc(count / months));
}

function dayOfYear({ localMs: ms, parts }: Zoned): number {
  const first = localMs({ year: parts.year, month: 1, day: 1, hour: 0, minute: 0, second: 0, millisecond: 0 });
  return Math.floor((ms - first) / DAY_MS) + 1;
}

const dayOfWeek = ({ localMs: ms }: Zoned): number => (((Math.floor(ms / DAY_MS) + 3) % 7) + 7) % 7;

const steps = (sign: 1 | -1, name: string, returns: string): Record<string, Invoke> =>
  Object.fromEntries(
    UNITS.map(([, plural], i) => [
      `${returns} ${name}${plural}(long)`,
      (_m: unknown, self: Zoned, count: bigint) => plus(self, UNIT_VALUES[i] as JavaEnum, sign * Number(count)),
    ]),
  );

const ZONED = scriptClass('java.time.ZonedDateTime', [COMPARABLE, OBJECT], {
  'int getYear()': part('year'),
  'int getMonthValue()': part('month'),
  'Month getMonth()': (_m, self: Zoned) => MONTHS[self.parts.month - 1],
  'int getDayOfMonth()': part('day'),
  'int getDayOfYear()': (_m, self: Zoned) => dayOfYear(self),
  'DayOfWeek getDayOfWeek()': (_m, self: Zoned) => DAYS[dayOfWeek(self)],
  'DayOfWeek getDayOfWeekEnum()': (_m, self: Zoned) => DAYS[dayOfWeek(self)],
  'int getHour()': part('hour'),
  'int getMinute()': part('minute'),
  'int getSecond()': part('second'),
  'int getNano()': (_m, self: Zoned) => self.parts.millisecond * 1_000_000,
  'long getMillis()': (_m, self: Zoned) => BigInt(self.ms),
  'ZoneId getZone()': (_m, self: Zoned) => self.zone,
  'Instant toInstant()': (_m, self: Zoned) => new JavaInstant(self.ms),
  'long toEpochSecond()': (_m, self: Zoned) => BigInt(Math.floor(self.ms / SECOND_MS)),
  'ZonedDateTime withYear(int)': withPart('year'),
  'ZonedDateTime withMonth(int)': withPart('month'),
  'ZonedDateTime withDayOfMonth(int)': withPart('day'),
  'ZonedDateTime withHour(int)': withPart('hour'),
  'ZonedDateTime withMinute(int)': withPart('minute'),
  'ZonedDateTime withSecond(int)': withPart('second'),
  'ZonedDateTime withZoneSameInstant(ZoneId)': (_m, self: Zoned, zone: JavaZone) => new JavaDateTime(self.ms, zone),
  'ZonedDateTime withZoneSameLocal(ZoneId)': (_m, self: Zoned, zone: JavaZone) =>
    new JavaDateTime(self.ms, zone).withLocal(self.localMs),
  ...steps(1, 'plus', 'ZonedDateTime'),
  ...steps(-1, 'minus', 'ZonedDateTime'),
  'ZonedDateTime plus(long,ChronoUnit)': (_m, self: Zoned, count: bigint, unit: JavaEnum) =>
    plus(self, unit, Number(count)),
  'ZonedDateTime minus(long,ChronoUnit)': (_m, self: Zoned, count: bigint, unit: JavaEnum) =>
    plus(self, unit, -Number(count)),
  'ZonedDateTime plus(Duration)': (_m, self: Zoned, by: JavaDuration) => new JavaDateTime(self.ms + by.ms, self.zone),
  'ZonedDateTime minus(Duration)': (_m, self: Zoned, by: JavaDuration) => new JavaDateTime(self.ms - by.ms, self.zone),
  'ZonedDateTime truncatedTo(ChronoUnit)': (_m, self: Zoned, unit: JavaEnum) => truncated(self, unit),
  'long until(ZonedDateTime,ChronoUnit)': (_m, self: Zoned, to: Zoned, unit: JavaEnum) => between(unit, self, to),
  'boolean isAfter(ZonedDateTime)': (_m, self: Zoned, other: Zoned) => self.ms > other.ms,
  'boolean isBefore(ZonedDateTime)': (_m, self: Zoned, other: Zoned) => self.ms < other.ms,
  'boolean isEqual(ZonedDateTime)': (_m, self: Zoned, other: Zoned) => self.ms === other.ms,
  'String format(DateTimeFormatter)': (_m, self: Zoned, formatter: JavaFormatter) =>
    formatter.formatter.print(self.ms, (formatter.zone ?? self.zone).zone.offsetMinutes(self.ms)),
  'static ZonedDateTime parse(CharSequence)': (_m, _s, text: string) => parsed(text, ISO),
  'static ZonedDateTime parse(CharSequence,DateTimeFormatter)': (_m, _s, text: string, formatter: JavaFormatter) =>
    parsed(text, formatter),
  'static ZonedDateTime ofInstant(Instant,ZoneId)': (_m, _s, { ms }: JavaInstant, zone: JavaZone) =>
    new JavaDateTime(ms, zone),
  'static ZonedDateTime of(int,int,int,int,int,int,int,ZoneId)': (
    _m,
    _s,
    ...given: [number, number, number, number, number, number, number, JavaZone]
  ) => {
    const [year, month, day, hour, minute, second, nano, zone] = given;
    const parts = { year, month, day, hour, minute, second, millisecond: Math.floor(nano / 1_000_000) };
    return new JavaDateTime(0, zone).withLocal(localMs(parts));
  },
});

const INSTANT = scriptClass('java.time.Instant', [COMPARABLE, OBJECT], {
  'long toEpochMilli()': (_m, self: JavaInstant) => BigInt(self.ms),
  'long getEpochSecond()': (_m, self: JavaInstant) => BigInt(Math.floor(self.ms / SECOND_MS)),
  'ZonedDateTime atZone(ZoneId)': (_m, self: JavaInstant, zone: JavaZone) => new JavaDateTime(self.ms, zone),
  'Instant plusMillis(long)': (_m, self: JavaInstant, count: bigint) => new JavaInstant(self.ms + Number(count)),
  'Instant plusSeconds(long)': (_m, self: JavaInstant, count: bigint) =>
    new JavaInstant(self.ms + Number(count) * SECOND_MS),
  'Instant minusMillis(long)': (_m, self: JavaInstant, count: bigint) => new JavaInstant(self.ms - Number(count)),
  'Instant minusSeconds(long)': (_m, self: JavaInstant, count: bigint) =>
    new JavaInstant(self.ms - Number(count) * SECOND_MS),
  'boolean isAfter(Instant)': (_m, self: JavaInstant, other: JavaInstant) => self.ms > other.ms,
  'boolean isBefore(Instant)': (_m, self: JavaInstant, other: JavaInstant) => self.ms < other.ms,
  'static Instant ofEpochMilli(long)': (_m, _s, ms: bigint) => new JavaInstant(Number(ms)),
  'static Instant ofEpochSecond(long)': (_m, _s, seconds: bigint) => new JavaInstant(Number(seconds) * SECOND_MS),
  'static Instant parse(CharSequence)': (_m, _s, text: string) => new JavaInstant(parsed(text, ISO).ms),
});

const DURATION = scriptClass('java.time.Duration', [COMPARABLE, OBJECT], {
  'long toMillis()': (_m, self: JavaDuration) => BigInt(Math.trunc(self.ms)),
  'long getSeconds()': (_m, self: JavaDuration) => BigInt(Math.floor(self.ms / SECOND_MS)),
  'long toMinutes()': (_m, self: JavaDuration) => BigInt(Math.trunc(self.ms / MINUTE_MS)),
  'long toHours()': (_m, self: JavaDuration) => BigInt(Math.trunc(self.ms / HOUR_MS)),
  'long toDays()': (_m, self: JavaDuration) => BigInt(Math.trunc(self.ms / DAY_MS)),
  'static Duration between(def,def)': (_m, _s, from: { ms: number }, to: { ms: number }) =>
    new JavaDuration(to.ms - from.ms),
  'static Duration ofMillis(long)': (_m, _s, count: bigint) => new JavaDuration(Number(count)),
  'static Duration ofSeconds(long)': (_m, _s, count: bigint) => new JavaDuration(Number(count) * SECOND_MS),
  'static Duration ofMinutes(long)': (_m, _s, count: bigint) => new JavaDuration(Number(count) * MINUTE_MS),
  'static Duration ofHours(long)': (_m, _s, count: bigint) => new JavaDuration(Number(count) * HOUR_MS),
  'static Duration ofDays(long)': (_m, _s, count: bigint) => new JavaDuration(Number(count) * DAY_MS),
});

const enumMembers = (values: readonly JavaEnum[], type: string): Record<string, JavaEnum> =>
  Object.fromEntries(values.map((value) => [`const ${type} ${value.name}`, value]));

function enumClass(type: string, values: readonly JavaEnum[]): ScriptClass {
  return scriptClass(values[0]?.javaClass ?? '', [COMPARABLE, OBJECT], {
    ...enumMembers(values, type),
    'int getValue()': (_m, self: JavaEnum) => self.value,
    'int ordinal()': (_m, self: JavaEnum) => values.indexOf(self),
    'String name()': (_m, self: JavaEnum) => self.name,
    [`static ${type} of(int)`]: (_m, _s, value: number) => values[value - 1],
  });
}

const FORMATTER = scriptClass('java.time.format.DateTimeFormatter', [OBJECT], {
  'String format(ZonedDateTime)': (_m, self: JavaFormatter, date: Zoned) =>
    self.formatter.print(date.ms, (self.zone ?? date.zone).zone.offsetMinutes(date.ms)),
  'DateTimeFormatter withZone(ZoneId)': (_m, self: JavaFormatter, zone: JavaZone) =>
    new JavaFormatter(self.pattern, zone),
  'static DateTimeFormatter ofPattern(String)': (_m, _s, pattern: string) => new JavaFormatter(pattern),
  'const DateTimeFormatter ISO_DATE_TIME': new JavaFormatter('strict_date_time'),
  'const DateTimeFormatter ISO_OFFSET_DATE_TIME': new JavaFormatter('strict_date_time'),
  'const DateTimeFormatter ISO_ZONED_DATE_TIME': ISO,
  'const DateTimeFormatter ISO_INSTANT': new JavaFormatter('strict_date_time', UTC_ZONE),
  'const DateTimeFormatter ISO_LOCAL_DATE': new JavaFormatter('strict_date'),
});

export const TIME_CLASSES: readonly ScriptClass[] = [
  ZONED,
  scriptClass('org.elasticsearch.script.JodaCompatibleZonedDateTime', ['java.time.ZonedDateTime', COMPARABLE, OBJECT], {
    'int getDayOfWeek()': (_m, self: Zoned) => dayOfWeek(self) + 1,
    'int getMonthOfYear()': part('month'),
    'int getHourOfDay()': part('hour'),
    'int getMinuteOfHour()': part('minute'),
    'int getSecondOfMinute()': part('second'),
  }),
  INSTANT,
  DURATION,
  FORMATTER,
  scriptClass('java.time.ZoneId', [OBJECT], {
    'String getId()': (_m, self: JavaZone) => self.zone.name,
    'static ZoneId of(String)': (_m, _s, name: string) => JavaZone.of(name),
  }),
  scriptClass('java.time.ZoneOffset', ['java.time.ZoneId', OBJECT], { 'const ZoneId UTC': UTC_ZONE }),
  scriptClass(UNIT, [COMPARABLE, OBJECT], {
    ...enumMembers(UNIT_VALUES, 'ChronoUnit'),
    'long between(def,def)': (_m, self: JavaEnum, from, to) => between(self, from, to),
  }),
  enumClass('DayOfWeek', DAYS),
  enumClass('Month', MONTHS),
];

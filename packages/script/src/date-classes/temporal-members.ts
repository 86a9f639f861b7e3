/**
 * Members that the classes of dates and times share, for one of them: what is read, set, added and compared.
 */

import { call } from '../contract/calls.ts';
import type { Invoke } from '../contract/script-class.ts';
import type { ScriptFunction, ScriptMachine } from '../machine/script-machine.ts';
import { dayOfWeek } from '../time/calendar-math.ts';
import { JavaInstant } from '../time/instants.ts';
import { DAYS, JavaEnum, MONTHS } from '../time/java-enum.ts';
import type { JavaFormatter } from '../time/java-formatter.ts';
import { LocalTemporal } from '../time/local-temporal.ts';
import { JavaMonthDay, JavaYear, JavaYearMonth } from '../time/partial-dates.ts';
import { JavaTemporal } from '../time/temporal.ts';
import { chronoField, type JavaField } from '../time/temporal-field.ts';
import { chronoUnit, type JavaUnit } from '../time/temporal-unit.ts';
import { JavaDuration, JavaPeriod } from '../time/time-amounts.ts';
import { JavaOffset } from '../time/time-zones.ts';
import { classCast, nullPointer } from '../values/java-exception.ts';
import { ScriptObject } from '../values/script-object.ts';

export const OBJECT = 'java.lang.Object';
export const COMPARABLE = 'java.lang.Comparable';
export const TEMPORAL = 'java.time.temporal.Temporal';
export const ACCESSOR = 'java.time.temporal.TemporalAccessor';
export const ADJUSTER = 'java.time.temporal.TemporalAdjuster';
export const AMOUNT = 'java.time.temporal.TemporalAmount';

/** Supers of a class whose objects are points in time. */
export const TEMPORAL_SUPERS: readonly string[] = [TEMPORAL, ACCESSOR, ADJUSTER, COMPARABLE, OBJECT];

/** A rule that makes one date of another: of `TemporalAdjusters`. */
export class JavaAdjuster extends ScriptObject {
  readonly javaClass: string = ADJUSTER;
  readonly apply: (machine: ScriptMachine, temporal: JavaTemporal) => JavaTemporal;

  constructor(apply: JavaAdjuster['apply']) {
    super();
    this.apply = apply;
  }

  text(): string {
    return `${this.javaClass}@0`;
  }
}

const set = (temporal: JavaTemporal, name: string, value: number): JavaTemporal =>
  temporal.with(chronoField(name), value);

function isFunction(value: unknown): value is ScriptFunction {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'function';
}

/** `with` of a date and something that sets parts of it. */
export function adjusted(machine: ScriptMachine, temporal: JavaTemporal, by: unknown): JavaTemporal {
  if (by === null) throw nullPointer();
  if (by instanceof JavaAdjuster) return by.apply(machine, temporal);
  if (isFunction(by)) {
    const made = call(machine, by, temporal);
    if (made instanceof JavaTemporal) return made;
    throw classCast('cannot cast the result of an adjuster to java.time.temporal.Temporal');
  }
  if (by instanceof JavaEnum) {
    return set(temporal, by.javaClass === 'java.time.Month' ? 'MONTH_OF_YEAR' : 'DAY_OF_WEEK', by.ordinal + 1);
  }
  if (by instanceof JavaOffset) return set(temporal, 'OFFSET_SECONDS', by.seconds);
  if (by instanceof JavaYear) return set(temporal, 'YEAR', by.year);
  if (by instanceof JavaYearMonth) return set(temporal, 'PROLEPTIC_MONTH', by.year * 12 + by.month - 1);
  if (by instanceof JavaMonthDay) {
    const inMonth = set(temporal, 'MONTH_OF_YEAR', by.month);
    return set(inMonth, 'DAY_OF_MONTH', Math.min(inMonth.range(chronoField('DAY_OF_MONTH')).maximum, by.dayOfMonth));
  }
  if (by instanceof JavaInstant) return set(set(temporal, 'INSTANT_SECONDS', by.seconds), 'NANO_OF_SECOND', by.nano);
  if (by instanceof LocalTemporal) return withParts(temporal, by);
  throw classCast('cannot implicitly cast def to java.time.temporal.TemporalAdjuster');
}

function withParts(temporal: JavaTemporal, { epochDay, nanoOfDay, offsetSeconds }: LocalTemporal): JavaTemporal {
  const dated = epochDay === null ? temporal : set(temporal, 'EPOCH_DAY', epochDay);
  const timed = nanoOfDay === null ? dated : set(dated, 'NANO_OF_DAY', nanoOfDay);
  return offsetSeconds === null ? timed : set(timed, 'OFFSET_SECONDS', offsetSeconds);
}

/** A date with an amount of time added, or taken away. */
export function shifted<T extends JavaTemporal>(temporal: T, amount: unknown, sign: 1n | -1n): T {
  if (amount === null) throw nullPointer();
  let result = temporal;
  const add = (count: bigint, unit: string): void => {
    if (count !== 0n) result = result.plus(sign * count, chronoUnit(unit));
  };
  if (amount instanceof JavaDuration) {
    add(amount.seconds, 'SECONDS');
    add(BigInt(amount.nano), 'NANOS');
  } else if (amount instanceof JavaPeriod) {
    if (amount.months === 0) add(BigInt(amount.years), 'YEARS');
    else add(BigInt(amount.totalMonths), 'MONTHS');
    add(BigInt(amount.days), 'DAYS');
  } else throw classCast('cannot implicitly cast def to java.time.temporal.TemporalAmount');
  return result;
}

/** Steps that a class has methods for: `plusDays` and the like. */
export const DATE_STEPS: readonly (readonly [string, string])[] = [
  ['Days', 'DAYS'],
  ['Weeks', 'WEEKS'],
  ['Months', 'MONTHS'],
  ['Years', 'YEARS'],
];
export const TIME_STEPS: readonly (readonly [string, string])[] = [
  ['Nanos', 'NANOS'],
  ['Seconds', 'SECONDS'],
  ['Minutes', 'MINUTES'],
  ['Hours', 'HOURS'],
];

/** Members of a class of points in time. */
export function temporalMembers(type: string, steps: readonly (readonly [string, string])[]): Record<string, Invoke> {
  const members: Record<string, Invoke> = {
    [`${type} plus(TemporalAmount)`]: (_m, self: JavaTemporal, amount) => shifted(self, amount, 1n),
    [`${type} minus(TemporalAmount)`]: (_m, self: JavaTemporal, amount) => shifted(self, amount, -1n),
    [`${type} plus(long,TemporalUnit)`]: (_m, self: JavaTemporal, count: bigint, unit: JavaUnit) =>
      self.plus(count, required(unit)),
    [`${type} minus(long,TemporalUnit)`]: (_m, self: JavaTemporal, count: bigint, unit: JavaUnit) =>
      self.plus(-count, required(unit)),
    [`${type} with(def)`]: (m, self: JavaTemporal, by) => adjusted(m, self, by),
    [`${type} with(TemporalField,long)`]: (_m, self: JavaTemporal, field: JavaField, value: bigint) =>
      self.with(required(field), Number(value)),
  };
  for (const [name, unit] of steps) {
    members[`${type} plus${name}(long)`] = (_m, self: JavaTemporal, count: bigint) =>
      self.plus(count, chronoUnit(unit));
    members[`${type} minus${name}(long)`] = (_m, self: JavaTemporal, count: bigint) =>
      self.plus(-count, chronoUnit(unit));
  }
  return members;
}

export function required<T>(value: T | null): T {
  if (value === null) throw nullPointer();
  return value;
}

const withField =
  (name: string): Invoke =>
  (_m, self: JavaTemporal, value: number) =>
    self.with(chronoField(name), value);

export function dateMembers(type: string): Record<string, Invoke> {
  return {
    'int getYear()': (_m, self: LocalTemporal) => self.dateParts.year,
    'int getMonthValue()': (_m, self: LocalTemporal) => self.dateParts.month,
    'Month getMonth()': (_m, self: LocalTemporal) => MONTHS[self.dateParts.month - 1],
    'int getDayOfMonth()': (_m, self: LocalTemporal) => self.dateParts.day,
    'int getDayOfYear()': (_m, self: LocalTemporal) => self.get(chronoField('DAY_OF_YEAR')),
    'DayOfWeek getDayOfWeek()': (_m, self: LocalTemporal) => DAYS[dayOfWeek(self.day) - 1],
    [`${type} withYear(int)`]: withField('YEAR'),
    [`${type} withMonth(int)`]: withField('MONTH_OF_YEAR'),
    [`${type} withDayOfMonth(int)`]: withField('DAY_OF_MONTH'),
    [`${type} withDayOfYear(int)`]: withField('DAY_OF_YEAR'),
  };
}

export function timeMembers(type: string): Record<string, Invoke> {
  return {
    'int getHour()': (_m, self: LocalTemporal) => self.timeParts.hour,
    'int getMinute()': (_m, self: LocalTemporal) => self.timeParts.minute,
    'int getSecond()': (_m, self: LocalTemporal) => self.timeParts.second,
    'int getNano()': (_m, self: LocalTemporal) => self.timeParts.nano,
    [`${type} withHour(int)`]: withField('HOUR_OF_DAY'),
    [`${type} withMinute(int)`]: withField('MINUTE_OF_HOUR'),
    [`${type} withSecond(int)`]: withField('SECOND_OF_MINUTE'),
    [`${type} withNano(int)`]: withField('NANO_OF_SECOND'),
  };
}

export const FORMAT_MEMBER: Record<string, Invoke> = {
  'String format(DateTimeFormatter)': (m, self: JavaTemporal, formatter: JavaFormatter) => {
    const text = required(formatter).print(self);
    m.grow(text.length);
    return text;
  },
};

/** `isAfter` and its kin by the order of a number that each has. */
export function orderMembers<T>(type: string, of: (a: T, b: T) => number): Record<string, Invoke> {
  return {
    [`boolean isAfter(${type})`]: (_m, self: T, other: T) => of(self, required(other)) > 0,
    [`boolean isBefore(${type})`]: (_m, self: T, other: T) => of(self, required(other)) < 0,
    [`boolean isEqual(${type})`]: (_m, self: T, other: T) => of(self, required(other)) === 0,
  };
}

export const byOrder = (a: JavaTemporal, b: JavaTemporal): number => a.compare(b) ?? 0;

export function byInstant(a: JavaTemporal, b: JavaTemporal): number {
  const [left, right] = [a.instant ?? [0, 0], b.instant ?? [0, 0]];
  return left[0] - right[0] || left[1] - right[1];
}

/** Where a class reads its objects of a text, with its own formatter or another. */
export function parseMembers(
  type: string,
  formatter: JavaFormatter,
  from: (parsed: JavaTemporal) => JavaTemporal,
): Record<string, Invoke> {
  return {
    [`static ${type} parse(CharSequence)`]: (_m, _s, text: unknown) => formatter.parseTo(String(required(text)), from),
    [`static ${type} parse(CharSequence,DateTimeFormatter)`]: (_m, _s, text: unknown, own: JavaFormatter) =>
      required(own).parseTo(String(required(text)), from),
    [`static ${type} from(TemporalAccessor)`]: (_m, _s, other: JavaTemporal) => from(required(other)),
  };
}

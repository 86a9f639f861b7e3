/**
 * `Duration` and `Period`.
 */

import { type Invoke, type ScriptClass, scriptClass } from '../contract/script-class.ts';
import { NANOS_PER_MS, NANOS_PER_SECOND } from '../time/calendar-math.ts';
import { longOf } from '../time/local-temporal.ts';
import type { JavaLocalDate } from '../time/local-values.ts';
import type { JavaTemporal } from '../time/temporal.ts';
import { chronoField } from '../time/temporal-field.ts';
import { CHRONO_UNITS, chronoUnit, type JavaUnit } from '../time/temporal-unit.ts';
import { JavaDuration, JavaPeriod, parseDuration, parsePeriod, periodBetween } from '../time/time-amounts.ts';
import { arithmeticException, dateTimeException, unsupported, unsupportedType } from '../time/time-errors.ts';
import { enumMembers } from './enum-members.ts';
import { AMOUNT, COMPARABLE, OBJECT, required, shifted } from './temporal-members.ts';

const SECOND = BigInt(NANOS_PER_SECOND);
const SIZES: readonly (readonly [name: string, nanos: bigint])[] = [
  ['Nanos', 1n],
  ['Millis', BigInt(NANOS_PER_MS)],
  ['Seconds', SECOND],
  ['Minutes', 60n * SECOND],
  ['Hours', 3_600n * SECOND],
  ['Days', 86_400n * SECOND],
];

const steps: Record<string, Invoke> = Object.fromEntries(
  SIZES.flatMap(([name, size]): [string, Invoke][] => [
    [`static Duration of${name}(long)`, (_m, _s, count: bigint) => new JavaDuration(count * size)],
    [
      `Duration plus${name}(long)`,
      (_m, self: JavaDuration, count: bigint) => new JavaDuration(self.total + count * size),
    ],
    [
      `Duration minus${name}(long)`,
      (_m, self: JavaDuration, count: bigint) => new JavaDuration(self.total - count * size),
    ],
  ]),
);

/** Nanoseconds of so many of a unit that always lasts as long. */
function nanosOf(count: bigint, unit: JavaUnit): bigint {
  if (unit.kind === 'time') return count * BigInt(unit.size);
  if (unit.name === 'DAYS') return count * 86_400n * SECOND;
  throw unsupportedType('Unit must not have an estimated duration');
}

/** @throws JavaException where the first one has no seconds */
function between(from: JavaTemporal, to: JavaTemporal): JavaDuration {
  const nanos = chronoUnit('NANOS');
  if (from.supportsUnit(nanos)) {
    try {
      return new JavaDuration(from.until(to, nanos));
    } catch (error) {
      // So far apart that nanoseconds are no long.
      if (!(error instanceof Error) || error.message !== 'long overflow') throw error;
    }
  }
  const seconds = from.until(to, chronoUnit('SECONDS'));
  const rest = to.supports(chronoField('NANO_OF_SECOND'))
    ? to.get(chronoField('NANO_OF_SECOND')) - from.get(chronoField('NANO_OF_SECOND'))
    : 0;
  return new JavaDuration(seconds * SECOND + BigInt(rest));
}

const DURATION = scriptClass('java.time.Duration', [AMOUNT, COMPARABLE, OBJECT], {
  'const Duration ZERO': new JavaDuration(0n),
  'static Duration between(Temporal,Temporal)': (_m, _s, from: JavaTemporal, to: JavaTemporal) =>
    between(required(from), required(to)),
  'static Duration from(TemporalAmount)': (_m, _s, amount: JavaDuration | JavaPeriod) => {
    if (amount instanceof JavaPeriod)
      return new JavaDuration(
        nanosOf(BigInt(amount.totalMonths), amount.totalMonths === 0 ? chronoUnit('DAYS') : chronoUnit('MONTHS')) +
          nanosOf(BigInt(amount.days), chronoUnit('DAYS')),
      );
    return required(amount);
  },
  'static Duration of(long,TemporalUnit)': (_m, _s, count: bigint, unit: JavaUnit) =>
    new JavaDuration(nanosOf(count, required(unit))),
  'static Duration ofSeconds(long,long)': (_m, _s, seconds: bigint, nanos: bigint) =>
    new JavaDuration(seconds * SECOND + nanos),
  'static Duration parse(CharSequence)': (_m, _s, text: unknown) => parseDuration(String(required(text))),
  ...steps,
  'Duration plus(Duration)': (_m, self: JavaDuration, by: JavaDuration) =>
    new JavaDuration(self.total + required(by).total),
  'Duration minus(Duration)': (_m, self: JavaDuration, by: JavaDuration) =>
    new JavaDuration(self.total - required(by).total),
  'Duration plus(long,TemporalUnit)': (_m, self: JavaDuration, count: bigint, unit: JavaUnit) =>
    new JavaDuration(self.total + nanosOf(count, required(unit))),
  'Duration minus(long,TemporalUnit)': (_m, self: JavaDuration, count: bigint, unit: JavaUnit) =>
    new JavaDuration(self.total - nanosOf(count, required(unit))),
  'Duration abs()': (_m, self: JavaDuration) => new JavaDuration(self.total < 0n ? -self.total : self.total),
  'Duration negated()': (_m, self: JavaDuration) => new JavaDuration(-self.total),
  'Duration multipliedBy(long)': (_m, self: JavaDuration, by: bigint) => new JavaDuration(self.total * by),
  'Duration dividedBy(long)': (_m, self: JavaDuration, by: bigint) => {
    if (by === 0n) throw arithmeticException('Cannot divide by zero');
    return new JavaDuration(self.total / by);
  },
  'Duration withNanos(int)': (_m, self: JavaDuration, nanos: number) =>
    new JavaDuration(self.seconds * SECOND + BigInt(chronoField('NANO_OF_SECOND').checked(nanos))),
  'Duration withSeconds(long)': (_m, self: JavaDuration, seconds: bigint) =>
    new JavaDuration(seconds * SECOND + BigInt(self.nano)),
  'int getNano()': (_m, self: JavaDuration) => self.nano,
  'long getSeconds()': (_m, self: JavaDuration) => self.seconds,
  'boolean isNegative()': (_m, self: JavaDuration) => self.total < 0n,
  'boolean isZero()': (_m, self: JavaDuration) => self.total === 0n,
  'long toNanos()': (_m, self: JavaDuration) => longOf(self.total),
  'long toMillis()': (_m, self: JavaDuration) => {
    const millis = BigInt(NANOS_PER_MS);
    return longOf((self.total - (((self.total % millis) + millis) % millis)) / millis);
  },
  'long toMinutes()': (_m, self: JavaDuration) => self.seconds / 60n,
  'long toHours()': (_m, self: JavaDuration) => self.seconds / 3_600n,
  'long toDays()': (_m, self: JavaDuration) => self.seconds / 86_400n,
});

const change =
  (parts: (self: JavaPeriod, by: number) => readonly [number, number, number]): Invoke =>
  (_m, self: JavaPeriod, by: bigint | number) =>
    new JavaPeriod(...parts(self, Number(by)));

function asPeriod(amount: unknown): JavaPeriod {
  if (amount instanceof JavaPeriod) return amount;
  throw dateTimeException(`Unit must be Years, Months or Days, but was ${amount === null ? 'null' : 'Seconds'}`);
}

const PERIOD = scriptClass('java.time.Period', [AMOUNT, OBJECT], {
  'const Period ZERO': new JavaPeriod(0, 0, 0),
  'static Period between(LocalDate,LocalDate)': (_m, _s, from: JavaLocalDate, to: JavaLocalDate) =>
    periodBetween(required(from).epochDay, required(to).epochDay),
  'static Period from(TemporalAmount)': (_m, _s, amount) => asPeriod(amount),
  'static Period of(int,int,int)': (_m, _s, years: number, months: number, days: number) =>
    new JavaPeriod(years, months, days),
  'static Period ofDays(int)': (_m, _s, days: number) => new JavaPeriod(0, 0, days),
  'static Period ofWeeks(int)': (_m, _s, weeks: number) => new JavaPeriod(0, 0, weeks * 7),
  'static Period ofMonths(int)': (_m, _s, months: number) => new JavaPeriod(0, months, 0),
  'static Period ofYears(int)': (_m, _s, years: number) => new JavaPeriod(years, 0, 0),
  'static Period parse(CharSequence)': (_m, _s, text: unknown) => parsePeriod(String(required(text))),
  'int getYears()': (_m, self: JavaPeriod) => self.years,
  'int getMonths()': (_m, self: JavaPeriod) => self.months,
  'int getDays()': (_m, self: JavaPeriod) => self.days,
  'long toTotalMonths()': (_m, self: JavaPeriod) => BigInt(self.totalMonths),
  'boolean isZero()': (_m, self: JavaPeriod) => self.totalMonths === 0 && self.days === 0 && self.years === 0,
  'boolean isNegative()': (_m, self: JavaPeriod) => self.years < 0 || self.months < 0 || self.days < 0,
  'Period negated()': (_m, self: JavaPeriod) => new JavaPeriod(0 - self.years, 0 - self.months, 0 - self.days),
  'Period normalized()': (_m, self: JavaPeriod) =>
    new JavaPeriod(Math.trunc(self.totalMonths / 12), self.totalMonths % 12, self.days),
  'Period multipliedBy(int)': change((p, by) => [p.years * by, p.months * by, p.days * by]),
  'Period plusYears(long)': change((p, by) => [p.years + by, p.months, p.days]),
  'Period plusMonths(long)': change((p, by) => [p.years, p.months + by, p.days]),
  'Period plusDays(long)': change((p, by) => [p.years, p.months, p.days + by]),
  'Period minusYears(long)': change((p, by) => [p.years - by, p.months, p.days]),
  'Period minusMonths(long)': change((p, by) => [p.years, p.months - by, p.days]),
  'Period minusDays(long)': change((p, by) => [p.years, p.months, p.days - by]),
  'Period withYears(int)': change((p, by) => [by, p.months, p.days]),
  'Period withMonths(int)': change((p, by) => [p.years, by, p.days]),
  'Period withDays(int)': change((p, by) => [p.years, p.months, by]),
  'Period plus(TemporalAmount)': (_m, self: JavaPeriod, amount) => {
    const { years, months, days } = asPeriod(amount);
    return new JavaPeriod(self.years + years, self.months + months, self.days + days);
  },
  'Period minus(TemporalAmount)': (_m, self: JavaPeriod, amount) => {
    const { years, months, days } = asPeriod(amount);
    return new JavaPeriod(self.years - years, self.months - months, self.days - days);
  },
});

const CLASS_OF_AMOUNT = scriptClass(AMOUNT, [OBJECT], {
  'Temporal addTo(Temporal)': (_m, self, temporal: JavaTemporal) => shifted(required(temporal), self, 1n),
  'Temporal subtractFrom(Temporal)': (_m, self, temporal: JavaTemporal) => shifted(required(temporal), self, -1n),
  'long get(TemporalUnit)': (_m, self: JavaDuration | JavaPeriod, unit: JavaUnit) => {
    const { name, label } = required(unit);
    if (self instanceof JavaDuration) {
      if (name === 'SECONDS') return self.seconds;
      if (name === 'NANOS') return BigInt(self.nano);
    } else if (name === 'YEARS' || name === 'MONTHS' || name === 'DAYS') {
      return BigInt(name === 'YEARS' ? self.years : name === 'MONTHS' ? self.months : self.days);
    }
    throw unsupported('unit', label);
  },
  'List getUnits()': (_m, self: unknown) =>
    (self instanceof JavaDuration ? ['SECONDS', 'NANOS'] : ['YEARS', 'MONTHS', 'DAYS']).map(chronoUnit),
});

const UNIT = 'java.time.temporal.TemporalUnit';
const CLASS_OF_UNIT = scriptClass(UNIT, [COMPARABLE, OBJECT], {
  'long between(Temporal,Temporal)': (_m, self: JavaUnit, from: JavaTemporal, to: JavaTemporal) =>
    required(from).until(required(to), self),
  'Temporal addTo(Temporal,long)': (_m, self: JavaUnit, temporal: JavaTemporal, count: bigint) =>
    required(temporal).plus(count, self),
  'Duration getDuration()': (_m, self: JavaUnit) =>
    new JavaDuration(BigInt(self.duration[0]) * SECOND + BigInt(self.duration[1])),
  'boolean isDateBased()': (_m, self: JavaUnit) => !self.isTimeBased && self.name !== 'FOREVER',
  'boolean isTimeBased()': (_m, self: JavaUnit) => self.isTimeBased,
  'boolean isDurationEstimated()': (_m, self: JavaUnit) => !self.isTimeBased,
  'boolean isSupportedBy(Temporal)': (_m, self: JavaUnit, temporal: JavaTemporal) =>
    required(temporal).supportsUnit(self),
});

const CHRONO_UNIT = scriptClass('java.time.temporal.ChronoUnit', [UNIT, 'java.lang.Enum', COMPARABLE, OBJECT], {
  ...enumMembers('java.time.temporal.ChronoUnit', 'ChronoUnit', CHRONO_UNITS),
});

export const AMOUNT_CLASSES: readonly ScriptClass[] = [DURATION, PERIOD, CLASS_OF_AMOUNT, CLASS_OF_UNIT, CHRONO_UNIT];

/**
 * Dates and times by the calendar and the clock on the wall: what they have in common, with or without a place.
 */
import {
  type DateParts,
  dateOf,
  dayOfWeek,
  dayOfYear,
  EPOCH_DAY_MAX,
  EPOCH_DAY_MIN,
  epochDayOf,
  floorDiv,
  floorMod,
  isLeapYear,
  lengthOfMonth,
  NANOS_PER_DAY,
  NANOS_PER_SECOND,
  plusMonths,
} from './calendar-math.ts';
import { JavaTemporal } from './temporal.ts';
import { chronoField, type JavaField, JavaRange } from './temporal-field.ts';
import type { JavaUnit } from './temporal-unit.ts';
import { arithmeticException, dateTimeException } from './time-errors.ts';

const MINUTE = 60 * NANOS_PER_SECOND;
const HOUR = 60 * MINUTE;

const MONTH_NAMES = [
  ...['JANUARY', 'FEBRUARY', 'MARCH', 'APRIL', 'MAY', 'JUNE'],
  ...['JULY', 'AUGUST', 'SEPTEMBER', 'OCTOBER', 'NOVEMBER', 'DECEMBER'],
];

/** A day by its parts, each of which is one. @throws JavaException for a day that the month has not */
export function checkedDay(year: number, month: number, day: number): number {
  chronoField('YEAR').checked(year);
  chronoField('MONTH_OF_YEAR').checked(month);
  chronoField('DAY_OF_MONTH').checked(day);
  if (day > lengthOfMonth(year, month)) {
    if (day === 29) throw dateTimeException(`Invalid date 'February 29' as '${year}' is not a leap year`);
    throw dateTimeException(`Invalid date '${MONTH_NAMES[month - 1]} ${day}'`);
  }
  return epochDayOf(year, month, day);
}

/** @throws JavaException where the year is none of Java's */
function inRange(epochDay: number): number {
  if (epochDay >= EPOCH_DAY_MIN && epochDay <= EPOCH_DAY_MAX) return epochDay;
  const year = Math.abs(epochDay) < 1e14 ? dateOf(epochDay).year : Math.sign(epochDay) * 1e12;
  throw dateTimeException(`Invalid value for Year (valid values -999999999 - 999999999): ${year}`);
}

export interface TimeParts {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nano: number;
}

export function nanoOfDayOf({ hour, minute, second, nano }: TimeParts): number {
  chronoField('HOUR_OF_DAY').checked(hour);
  chronoField('MINUTE_OF_HOUR').checked(minute);
  chronoField('SECOND_OF_MINUTE').checked(second);
  chronoField('NANO_OF_SECOND').checked(nano);
  return (hour * 3_600 + minute * 60 + second) * NANOS_PER_SECOND + nano;
}

export function timeParts(nanoOfDay: number): TimeParts {
  const seconds = Math.floor(nanoOfDay / NANOS_PER_SECOND);
  return {
    hour: Math.floor(seconds / 3_600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    nano: nanoOfDay - seconds * NANOS_PER_SECOND,
  };
}

const two = (value: number): string => String(value).padStart(2, '0');

export function yearText(year: number): string {
  if (Math.abs(year) >= 1_000) return year > 9_999 ? `+${year}` : String(year);
  return `${year < 0 ? '-' : ''}${String(Math.abs(year)).padStart(4, '0')}`;
}

export function dateText(epochDay: number): string {
  const { year, month, day } = dateOf(epochDay);
  return `${yearText(year)}-${two(month)}-${two(day)}`;
}

/** The digits behind the point, three, six or nine of them. */
export function fractionText(nano: number): string {
  const digits = String(nano).padStart(9, '0');
  if (nano % 1_000_000 === 0) return digits.slice(0, 3);
  return nano % 1_000 === 0 ? digits.slice(0, 6) : digits;
}

export function timeText(nanoOfDay: number, hasSeconds = false): string {
  const { hour, minute, second, nano } = timeParts(nanoOfDay);
  const text = `${two(hour)}:${two(minute)}`;
  if (nano !== 0) return `${text}:${two(second)}.${fractionText(nano)}`;
  return second === 0 && !hasSeconds ? text : `${text}:${two(second)}`;
}

function timeField(nanoOfDay: number, field: JavaField): number {
  const { hour, minute, second, nano } = timeParts(nanoOfDay);
  switch (field.name) {
    case 'NANO_OF_SECOND':
      return nano;
    case 'NANO_OF_DAY':
      return nanoOfDay;
    case 'MICRO_OF_SECOND':
      return Math.floor(nano / 1_000);
    case 'MICRO_OF_DAY':
      return Math.floor(nanoOfDay / 1_000);
    case 'MILLI_OF_SECOND':
      return Math.floor(nano / 1_000_000);
    case 'MILLI_OF_DAY':
      return Math.floor(nanoOfDay / 1_000_000);
    case 'SECOND_OF_MINUTE':
      return second;
    case 'SECOND_OF_DAY':
      return Math.floor(nanoOfDay / NANOS_PER_SECOND);
    case 'MINUTE_OF_HOUR':
      return minute;
    case 'MINUTE_OF_DAY':
      return hour * 60 + minute;
    case 'HOUR_OF_AMPM':
      return hour % 12;
    case 'CLOCK_HOUR_OF_AMPM':
      return hour % 12 === 0 ? 12 : hour % 12;
    case 'CLOCK_HOUR_OF_DAY':
      return hour === 0 ? 24 : hour;
    case 'AMPM_OF_DAY':
      return Math.floor(hour / 12);
    default:
      return hour;
  }
}

function withTimeField(nanoOfDay: number, field: JavaField, value: number): number {
  const shift = (unit: number): number => nanoOfDay + (value - timeField(nanoOfDay, field)) * unit;
  switch (field.name) {
    case 'NANO_OF_SECOND':
      return shift(1);
    case 'NANO_OF_DAY':
      return value;
    case 'MICRO_OF_SECOND':
      return nanoOfDay - (nanoOfDay % NANOS_PER_SECOND) + value * 1_000;
    case 'MICRO_OF_DAY':
      return value * 1_000;
    case 'MILLI_OF_SECOND':
      return nanoOfDay - (nanoOfDay % NANOS_PER_SECOND) + value * 1_000_000;
    case 'MILLI_OF_DAY':
      return value * 1_000_000;
    case 'SECOND_OF_MINUTE':
    case 'SECOND_OF_DAY':
      return shift(NANOS_PER_SECOND);
    case 'MINUTE_OF_HOUR':
    case 'MINUTE_OF_DAY':
      return shift(MINUTE);
    case 'AMPM_OF_DAY':
      return shift(12 * HOUR);
    case 'CLOCK_HOUR_OF_AMPM':
      return nanoOfDay + ((value % 12) - (timeParts(nanoOfDay).hour % 12)) * HOUR;
    case 'CLOCK_HOUR_OF_DAY':
      return nanoOfDay + ((value % 24) - timeParts(nanoOfDay).hour) * HOUR;
    default:
      return shift(HOUR);
  }
}

function dateField(epochDay: number, { year, month, day }: DateParts, { name }: JavaField): number {
  switch (name) {
    case 'DAY_OF_WEEK':
      return dayOfWeek(epochDay);
    case 'ALIGNED_DAY_OF_WEEK_IN_MONTH':
      return ((day - 1) % 7) + 1;
    case 'ALIGNED_DAY_OF_WEEK_IN_YEAR':
      return ((dayOfYear(epochDay) - 1) % 7) + 1;
    case 'DAY_OF_MONTH':
      return day;
    case 'DAY_OF_YEAR':
      return dayOfYear(epochDay);
    case 'EPOCH_DAY':
      return epochDay;
    case 'ALIGNED_WEEK_OF_MONTH':
      return Math.floor((day - 1) / 7) + 1;
    case 'ALIGNED_WEEK_OF_YEAR':
      return Math.floor((dayOfYear(epochDay) - 1) / 7) + 1;
    case 'MONTH_OF_YEAR':
      return month;
    case 'PROLEPTIC_MONTH':
      return year * 12 + month - 1;
    case 'YEAR_OF_ERA':
      return year >= 1 ? year : 1 - year;
    case 'ERA':
      return year >= 1 ? 1 : 0;
    default:
      return year;
  }
}

function withDateField(epochDay: number, { year, month, day }: DateParts, field: JavaField, value: number): number {
  const toYear = (to: number): number => epochDayOf(to, month, Math.min(day, lengthOfMonth(to, month)));
  const byDays = (days: number): number => epochDay + (value - dateField(epochDay, dateOf(epochDay), field)) * days;
  switch (field.name) {
    case 'DAY_OF_MONTH':
      return checkedDay(year, month, value);
    case 'DAY_OF_YEAR':
      return dayOfYearIn(year, value);
    case 'EPOCH_DAY':
      return value;
    case 'ALIGNED_WEEK_OF_MONTH':
    case 'ALIGNED_WEEK_OF_YEAR':
      return byDays(7);
    case 'MONTH_OF_YEAR':
    case 'PROLEPTIC_MONTH':
      return plusMonths(epochDay, value - (field.name === 'MONTH_OF_YEAR' ? month : year * 12 + month - 1));
    case 'YEAR_OF_ERA':
      return toYear(year >= 1 ? value : 1 - value);
    case 'ERA':
      return (year >= 1 ? 1 : 0) === value ? epochDay : toYear(1 - year);
    case 'YEAR':
      return toYear(value);
    default:
      return byDays(1);
  }
}

/** @throws JavaException for the day after the last one of a year that is no leap year */
export function dayOfYearIn(year: number, day: number): number {
  chronoField('DAY_OF_YEAR').checked(day);
  if (day === 366 && !isLeapYear(year)) {
    throw dateTimeException(`Invalid date 'DayOfYear 366' as '${year}' is not a leap year`);
  }
  return epochDayOf(year, 1, 1) + day - 1;
}

/** The day so many days or months later. */
export function addedDays(epochDay: number, count: bigint, unit: JavaUnit): number {
  const total = Number(count) * unit.size;
  return inRange(unit.kind === 'month' ? plusMonths(epochDay, total) : epochDay + total);
}

/** Day and time so many nanoseconds later. */
export function addedNanos(
  epochDay: number,
  nanoOfDay: number,
  count: bigint,
  size: number,
): readonly [number, number] {
  const small = Number(count) * size;
  if (Math.abs(small) < Number.MAX_SAFE_INTEGER / 2) {
    const total = nanoOfDay + small;
    return [inRange(epochDay + floorDiv(total, NANOS_PER_DAY)), floorMod(total, NANOS_PER_DAY)];
  }
  const day = BigInt(NANOS_PER_DAY);
  const total = BigInt(nanoOfDay) + count * BigInt(size);
  const rest = ((total % day) + day) % day;
  return [inRange(epochDay + Number((total - rest) / day)), Number(rest)];
}

const LONG_BITS = 64;

/** @throws JavaException where the result is no long */
export function longOf(value: bigint): bigint {
  if (BigInt.asIntN(LONG_BITS, value) !== value) throw arithmeticException('long overflow');
  return value;
}

/** Whole units from one local date and time to another. */
export function localDistance(
  from: readonly [day: number, nano: number],
  to: readonly [day: number, nano: number],
  unit: JavaUnit,
): bigint {
  if (unit.kind === 'time') {
    const nanos = BigInt(to[0] - from[0]) * BigInt(NANOS_PER_DAY) + BigInt(to[1] - from[1]);
    return longOf(nanos / BigInt(unit.size));
  }
  let [day] = to;
  // A day that is not over does not count.
  if (day > from[0] && to[1] < from[1]) day--;
  else if (day < from[0] && to[1] > from[1]) day++;
  if (unit.kind === 'day') return BigInt(Math.trunc((day - from[0]) / unit.size));
  return BigInt(Math.trunc(monthsBetween(from[0], day) / unit.size));
}

function monthsBetween(from: number, to: number): number {
  const packed = (epochDay: number): number => {
    const { year, month, day } = dateOf(epochDay);
    return (year * 12 + month - 1) * 32 + day;
  };
  return Math.trunc((packed(to) - packed(from)) / 32);
}

/** A temporal with a date, a time or both. Subclasses say what is made of another day and time. */
export abstract class LocalTemporal extends JavaTemporal {
  #parts: DateParts | null = null;

  protected abstract rebuilt(epochDay: number, nanoOfDay: number): LocalTemporal;

  get day(): number {
    return this.epochDay ?? 0;
  }

  get nanos(): number {
    return this.nanoOfDay ?? 0;
  }

  get dateParts(): DateParts {
    this.#parts ??= dateOf(this.day);
    return this.#parts;
  }

  get timeParts(): TimeParts {
    return timeParts(this.nanos);
  }

  supports(field: JavaField): boolean {
    if (field.kind === 'date') return this.epochDay !== null;
    if (field.kind === 'time') return this.nanoOfDay !== null;
    return field.name === 'OFFSET_SECONDS' ? this.offsetSeconds !== null : this.instant !== null;
  }

  supportsUnit(unit: JavaUnit): boolean {
    if (unit.kind === 'time') return this.nanoOfDay !== null;
    return this.epochDay !== null && (unit.kind !== 'none' || unit.name === 'ERAS');
  }

  protected read(field: JavaField): number {
    if (field.kind === 'time') return timeField(this.nanos, field);
    if (field.rule !== null) return field.rule.get(this.day);
    if (field.kind === 'date') return dateField(this.day, this.dateParts, field);
    return (field.name === 'OFFSET_SECONDS' ? this.offsetSeconds : this.instant?.[0]) ?? 0;
  }

  protected written(field: JavaField, value: number): JavaTemporal {
    if (field.kind === 'time') return this.rebuilt(this.day, withTimeField(this.nanos, field, value));
    if (field.rule !== null) return this.rebuilt(inRange(field.rule.set(this.day, value)), this.nanos);
    return this.rebuilt(inRange(withDateField(this.day, this.dateParts, field, value)), this.nanos);
  }

  protected added(count: bigint, unit: JavaUnit): JavaTemporal {
    if (unit.kind !== 'time') return this.rebuilt(addedDays(this.day, count, unit), this.nanos);
    return this.rebuilt(...addedNanos(this.day, this.nanos, count, unit.size));
  }

  protected distance(end: this, unit: JavaUnit): bigint {
    return localDistance([this.day, this.nanos], [end.day, end.nanos], unit);
  }

  override range(field: JavaField): JavaRange {
    if (!this.supports(field) || field.rule !== null) return super.range(field);
    const { year, month } = this.dateParts;
    switch (field.name) {
      case 'DAY_OF_MONTH':
        return new JavaRange(1, lengthOfMonth(year, month));
      case 'DAY_OF_YEAR':
        return new JavaRange(1, isLeapYear(year) ? 366 : 365);
      case 'ALIGNED_WEEK_OF_MONTH':
        return new JavaRange(1, lengthOfMonth(year, month) === 28 ? 4 : 5);
      case 'YEAR_OF_ERA':
        return new JavaRange(1, year <= 0 ? 1_000_000_000 : 999_999_999);
      default:
        return field.range;
    }
  }

  /** With the same clock at another day and time. */
  at(epochDay: number, nanoOfDay: number): this {
    return this.rebuilt(epochDay, nanoOfDay) as this;
  }
}

/** A date and time in JSON: with three digits of the second, and as many more as it has. */
export function isoText({ day, nanos }: LocalTemporal, offset: string): string {
  const fraction = String(nanos % NANOS_PER_SECOND).padStart(9, '0');
  const time = timeText(nanos - (nanos % NANOS_PER_SECOND), true);
  return `${dateText(day)}T${time}.${fraction.slice(0, 3)}${fraction.slice(3).replace(/0+$/, '')}${offset}`;
}

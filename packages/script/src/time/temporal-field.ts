/**
 * Fields of `java.time`: those of `ChronoField`, and what fields of other kinds have in common with them.
 */
import { ScriptObject } from '../values/script-object.ts';
import { chronoUnit, type JavaUnit } from './temporal-unit.ts';
import { dateTimeException } from './time-errors.ts';

export const CHRONO_FIELD = 'java.time.temporal.ChronoField';

/** `java.time.temporal.ValueRange`. */
export class JavaRange extends ScriptObject {
  readonly javaClass = 'java.time.temporal.ValueRange';
  readonly minimum: number;
  readonly largestMinimum: number;
  readonly smallestMaximum: number;
  readonly maximum: number;

  constructor(minimum: number, maximum: number, smallestMaximum: number = maximum, largestMinimum: number = minimum) {
    super();
    this.minimum = minimum;
    this.largestMinimum = largestMinimum;
    this.smallestMaximum = smallestMaximum;
    this.maximum = maximum;
  }

  has(value: number): boolean {
    return value >= this.minimum && value <= this.maximum;
  }

  get isInt(): boolean {
    return this.minimum >= -(2 ** 31) && this.maximum <= 2 ** 31 - 1;
  }

  text(): string {
    const low = `${this.minimum}${this.minimum === this.largestMinimum ? '' : `/${this.largestMinimum}`}`;
    return `${low} - ${this.smallestMaximum === this.maximum ? '' : `${this.smallestMaximum}/`}${this.maximum}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaRange && other.text() === this.text();
  }
}

export type FieldKind = 'date' | 'time' | 'instant';

/** How a field that is none of `ChronoField` is read and set: on the day, in days since 1970. */
export interface DayRule {
  readonly get: (epochDay: number) => number;
  /** The day whose field has the value. */
  readonly set: (epochDay: number, value: number) => number;
  /** Values that it may have on dates near that day. */
  readonly range?: (epochDay: number) => JavaRange;
}

export class JavaField extends ScriptObject {
  readonly javaClass: string;
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly range: JavaRange;
  readonly baseUnit: JavaUnit;
  readonly rangeUnit: JavaUnit;
  readonly ordinal: number;
  /** null: of `ChronoField`. */
  readonly rule: DayRule | null;

  constructor(
    javaClass: string,
    ordinal: number,
    [name, label, kind, range, base, of]: FieldShape,
    rule: DayRule | null = null,
  ) {
    super();
    this.javaClass = javaClass;
    this.ordinal = ordinal;
    this.name = name;
    this.label = label;
    this.kind = kind;
    this.range = range;
    this.baseUnit = typeof base === 'string' ? chronoUnit(base) : base;
    this.rangeUnit = typeof of === 'string' ? chronoUnit(of) : of;
    this.rule = rule;
  }

  /** @throws JavaException for a value that the field never has */
  checked(value: number, range: JavaRange = this.range): number {
    if (range.has(value)) return value;
    throw dateTimeException(`Invalid value for ${this.label} (valid values ${range.text()}): ${value}`);
  }

  text(): string {
    return this.label;
  }

  override compare(other: ScriptObject): number | null {
    return other instanceof JavaField ? this.ordinal - other.ordinal : null;
  }
}

export type FieldShape = readonly [
  name: string,
  label: string,
  kind: FieldKind,
  range: JavaRange,
  base: string | JavaUnit,
  of: string | JavaUnit,
];

const range = (...limits: ConstructorParameters<typeof JavaRange>): JavaRange => new JavaRange(...limits);
export const YEAR_MAX = 999_999_999;
const DAYS_MAX = 365_243_219_162;
/** Seconds of an instant go as far as Java's longs, of which these are the doubles. */
const SECONDS_MAX = 2 ** 63;

const SHAPES: readonly FieldShape[] = [
  ['NANO_OF_SECOND', 'NanoOfSecond', 'time', range(0, 999_999_999), 'NANOS', 'SECONDS'],
  ['NANO_OF_DAY', 'NanoOfDay', 'time', range(0, 86_399_999_999_999), 'NANOS', 'DAYS'],
  ['MICRO_OF_SECOND', 'MicroOfSecond', 'time', range(0, 999_999), 'MICROS', 'SECONDS'],
  ['MICRO_OF_DAY', 'MicroOfDay', 'time', range(0, 86_399_999_999), 'MICROS', 'DAYS'],
  ['MILLI_OF_SECOND', 'MilliOfSecond', 'time', range(0, 999), 'MILLIS', 'SECONDS'],
  ['MILLI_OF_DAY', 'MilliOfDay', 'time', range(0, 86_399_999), 'MILLIS', 'DAYS'],
  ['SECOND_OF_MINUTE', 'SecondOfMinute', 'time', range(0, 59), 'SECONDS', 'MINUTES'],
  ['SECOND_OF_DAY', 'SecondOfDay', 'time', range(0, 86_399), 'SECONDS', 'DAYS'],
  ['MINUTE_OF_HOUR', 'MinuteOfHour', 'time', range(0, 59), 'MINUTES', 'HOURS'],
  ['MINUTE_OF_DAY', 'MinuteOfDay', 'time', range(0, 1_439), 'MINUTES', 'DAYS'],
  ['HOUR_OF_AMPM', 'HourOfAmPm', 'time', range(0, 11), 'HOURS', 'HALF_DAYS'],
  ['CLOCK_HOUR_OF_AMPM', 'ClockHourOfAmPm', 'time', range(1, 12), 'HOURS', 'HALF_DAYS'],
  ['HOUR_OF_DAY', 'HourOfDay', 'time', range(0, 23), 'HOURS', 'DAYS'],
  ['CLOCK_HOUR_OF_DAY', 'ClockHourOfDay', 'time', range(1, 24), 'HOURS', 'DAYS'],
  ['AMPM_OF_DAY', 'AmPmOfDay', 'time', range(0, 1), 'HALF_DAYS', 'DAYS'],
  ['DAY_OF_WEEK', 'DayOfWeek', 'date', range(1, 7), 'DAYS', 'WEEKS'],
  ['ALIGNED_DAY_OF_WEEK_IN_MONTH', 'AlignedDayOfWeekInMonth', 'date', range(1, 7), 'DAYS', 'WEEKS'],
  ['ALIGNED_DAY_OF_WEEK_IN_YEAR', 'AlignedDayOfWeekInYear', 'date', range(1, 7), 'DAYS', 'WEEKS'],
  ['DAY_OF_MONTH', 'DayOfMonth', 'date', range(1, 31, 28), 'DAYS', 'MONTHS'],
  ['DAY_OF_YEAR', 'DayOfYear', 'date', range(1, 366, 365), 'DAYS', 'YEARS'],
  ['EPOCH_DAY', 'EpochDay', 'date', range(-DAYS_MAX, 365_241_780_471), 'DAYS', 'FOREVER'],
  ['ALIGNED_WEEK_OF_MONTH', 'AlignedWeekOfMonth', 'date', range(1, 5, 4), 'WEEKS', 'MONTHS'],
  ['ALIGNED_WEEK_OF_YEAR', 'AlignedWeekOfYear', 'date', range(1, 53), 'WEEKS', 'YEARS'],
  ['MONTH_OF_YEAR', 'MonthOfYear', 'date', range(1, 12), 'MONTHS', 'YEARS'],
  ['PROLEPTIC_MONTH', 'ProlepticMonth', 'date', range(-YEAR_MAX * 12, YEAR_MAX * 12 + 11), 'MONTHS', 'FOREVER'],
  ['YEAR_OF_ERA', 'YearOfEra', 'date', range(1, YEAR_MAX + 1, YEAR_MAX), 'YEARS', 'FOREVER'],
  ['YEAR', 'Year', 'date', range(-YEAR_MAX, YEAR_MAX), 'YEARS', 'FOREVER'],
  ['ERA', 'Era', 'date', range(0, 1), 'ERAS', 'FOREVER'],
  ['INSTANT_SECONDS', 'InstantSeconds', 'instant', range(-SECONDS_MAX, SECONDS_MAX), 'SECONDS', 'FOREVER'],
  ['OFFSET_SECONDS', 'OffsetSeconds', 'instant', range(-64_800, 64_800), 'SECONDS', 'FOREVER'],
];

export const CHRONO_FIELDS: readonly JavaField[] = SHAPES.map(
  (shape, ordinal) => new JavaField(CHRONO_FIELD, ordinal, shape),
);

const BY_NAME = new Map(CHRONO_FIELDS.map((field) => [field.name, field]));

/** A field of `ChronoField` by its name, which is one. */
export function chronoField(name: string): JavaField {
  return BY_NAME.get(name) as JavaField;
}

/**
 * Units of `java.time`: those of `ChronoUnit` and of `IsoFields`.
 */
import { ScriptObject } from '../values/script-object.ts';
import { NANOS_PER_DAY, NANOS_PER_SECOND } from './calendar-math.ts';

export const CHRONO_UNIT = 'java.time.temporal.ChronoUnit';

/** What one unit is of: nanoseconds, days or months; the last two are those of the calendar. */
export type UnitKind = 'time' | 'day' | 'month' | 'none';

interface UnitShape {
  readonly name: string;
  readonly label: string;
  readonly kind: UnitKind;
  /** Nanoseconds, days or months. */
  readonly size: number;
  /** Seconds and nanoseconds that it lasts, mostly. */
  readonly duration: readonly [seconds: number, nanos: number];
}

export class JavaUnit extends ScriptObject {
  readonly javaClass: string;
  readonly name: string;
  readonly label: string;
  readonly kind: UnitKind;
  readonly size: number;
  readonly duration: readonly [seconds: number, nanos: number];
  readonly ordinal: number;

  constructor(javaClass: string, ordinal: number, { name, label, kind, size, duration }: UnitShape) {
    super();
    this.javaClass = javaClass;
    this.ordinal = ordinal;
    this.name = name;
    this.label = label;
    this.kind = kind;
    this.size = size;
    this.duration = duration;
  }

  get isTimeBased(): boolean {
    return this.kind === 'time';
  }

  text(): string {
    return this.label;
  }

  override compare(other: ScriptObject): number | null {
    return other instanceof JavaUnit ? this.ordinal - other.ordinal : null;
  }
}

/** Seconds of a month on average: a twelfth of a year of 365.2425 days. */
const MONTH_SECONDS = 2_629_746;
const YEAR_SECONDS = MONTH_SECONDS * 12;
const DAY_SECONDS = 86_400;

const time = (name: string, label: string, nanos: number): UnitShape => {
  const seconds = Math.floor(nanos / NANOS_PER_SECOND);
  return { name, label, kind: 'time', size: nanos, duration: [seconds, nanos - seconds * NANOS_PER_SECOND] };
};
const days = (name: string, label: string, count: number): UnitShape => ({
  ...{ name, label, kind: 'day', size: count },
  duration: [count * DAY_SECONDS, 0],
});
const months = (name: string, label: string, count: number): UnitShape => ({
  ...{ name, label, kind: 'month', size: count },
  duration: [count * MONTH_SECONDS, 0],
});
const none = (name: string, label: string, seconds: number, nanos: number): UnitShape => ({
  ...{ name, label, kind: 'none', size: 0 },
  duration: [seconds, nanos],
});

const MINUTE = 60 * NANOS_PER_SECOND;

export const CHRONO_UNITS: readonly JavaUnit[] = [
  time('NANOS', 'Nanos', 1),
  time('MICROS', 'Micros', 1_000),
  time('MILLIS', 'Millis', 1_000_000),
  time('SECONDS', 'Seconds', NANOS_PER_SECOND),
  time('MINUTES', 'Minutes', MINUTE),
  time('HOURS', 'Hours', 60 * MINUTE),
  time('HALF_DAYS', 'HalfDays', NANOS_PER_DAY / 2),
  days('DAYS', 'Days', 1),
  days('WEEKS', 'Weeks', 7),
  months('MONTHS', 'Months', 1),
  months('YEARS', 'Years', 12),
  months('DECADES', 'Decades', 120),
  months('CENTURIES', 'Centuries', 1_200),
  months('MILLENNIA', 'Millennia', 12_000),
  none('ERAS', 'Eras', 1_000_000_000 * YEAR_SECONDS, 0),
  none('FOREVER', 'Forever', Number.MAX_SAFE_INTEGER, 999_999_999),
].map((shape, ordinal) => new JavaUnit(CHRONO_UNIT, ordinal, shape));

const BY_NAME = new Map(CHRONO_UNITS.map((unit) => [unit.name, unit]));

/** A unit of `ChronoUnit` by its name, which is one. */
export function chronoUnit(name: string): JavaUnit {
  return BY_NAME.get(name) as JavaUnit;
}

const ISO_UNIT = 'java.time.temporal.TemporalUnit';
export const WEEK_BASED_YEARS: JavaUnit = new JavaUnit(ISO_UNIT, 0, months('WEEK_BASED_YEARS', 'WeekBasedYears', 12));
export const QUARTER_YEARS: JavaUnit = new JavaUnit(ISO_UNIT, 1, months('QUARTER_YEARS', 'QuarterYears', 3));

/**
 * `Duration` and `Period`: amounts of time by the clock and by the calendar.
 */
import { ScriptObject } from '../values/script-object.ts';
import { dateOf, lengthOfMonth, NANOS_PER_SECOND, plusMonths } from './calendar-math.ts';
import { longOf } from './local-temporal.ts';
import { arithmeticException, DateTimeParseException } from './time-errors.ts';

const SECOND = BigInt(NANOS_PER_SECOND);
const MINUTE = 60n;
const HOUR = 3_600n;

export class JavaDuration extends ScriptObject {
  readonly javaClass = 'java.time.Duration';
  /** Nanoseconds, all of them. */
  readonly total: bigint;

  constructor(total: bigint) {
    super();
    this.total = total;
    longOf(this.seconds);
  }

  /** Whole seconds, downwards. */
  get seconds(): bigint {
    return (this.total - BigInt(this.nano)) / SECOND;
  }

  /** Nanoseconds behind the whole seconds. */
  get nano(): number {
    return Number(((this.total % SECOND) + SECOND) % SECOND);
  }

  text(): string {
    if (this.total === 0n) return 'PT0S';
    // Towards zero, so that all parts have the sign of the whole.
    const seconds = this.total / SECOND;
    const fraction = this.total % SECOND;
    const [hours, minutes, rest] = [seconds / HOUR, (seconds % HOUR) / MINUTE, seconds % MINUTE];
    const text = `PT${hours === 0n ? '' : `${hours}H`}${minutes === 0n ? '' : `${minutes}M`}`;
    if (rest === 0n && fraction === 0n) return text;
    const sign = rest === 0n && fraction < 0n ? '-' : '';
    const size = fraction < 0n ? -fraction : fraction;
    const digits = fraction === 0n ? '' : `.${String(size).padStart(9, '0').replace(/0+$/, '')}`;
    return `${text}${sign}${rest}${digits}S`;
  }

  override key(): unknown {
    return `duration ${this.total}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaDuration && other.total === this.total;
  }

  override compare(other: ScriptObject): number | null {
    if (!(other instanceof JavaDuration)) return null;
    if (this.seconds !== other.seconds) return this.seconds < other.seconds ? -1 : 1;
    return this.nano - other.nano;
  }
}

const DURATION =
  /^([-+]?)P(?:([-+]?\d{1,19})D)?(T(?:([-+]?\d{1,19})H)?(?:([-+]?\d{1,19})M)?(?:([-+]?\d{1,19})(?:[.,](\d{0,9}))?S)?)?$/i;

/** @throws JavaException for a text that is no duration */
export function parseDuration(text: string): JavaDuration {
  const match = DURATION.exec(text);
  const [, sign, days, time, hours, minutes, seconds, fraction = ''] = match ?? [];
  const isEmpty = days === undefined && hours === undefined && minutes === undefined && seconds === undefined;
  if (match === null || isEmpty || time?.toUpperCase() === 'T') {
    throw new DateTimeParseException('Text cannot be parsed to a Duration', text, 0);
  }
  const nanos = BigInt(fraction.padEnd(9, '0'));
  const whole =
    BigInt(days ?? 0) * 24n * HOUR + BigInt(hours ?? 0) * HOUR + BigInt(minutes ?? 0) * MINUTE + BigInt(seconds ?? 0);
  const total = whole * SECOND + (seconds?.startsWith('-') === true ? -nanos : nanos);
  return new JavaDuration(sign === '-' ? -total : total);
}

const INT_BITS = 32;

function intOf(value: number): number {
  if ((value | 0) !== value) throw arithmeticException('integer overflow');
  return value;
}

export class JavaPeriod extends ScriptObject {
  readonly javaClass = 'java.time.Period';
  readonly years: number;
  readonly months: number;
  readonly days: number;

  constructor(years: number, months: number, days: number) {
    super();
    this.years = intOf(years);
    this.months = intOf(months);
    this.days = intOf(days);
  }

  get totalMonths(): number {
    return this.years * 12 + this.months;
  }

  text(): string {
    const part = (value: number, unit: string): string => (value === 0 ? '' : `${value}${unit}`);
    return `P${part(this.years, 'Y')}${part(this.months, 'M')}${part(this.days, 'D')}`.replace(/^P$/, 'P0D');
  }

  override key(): unknown {
    return `period ${this.text()}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaPeriod && other.text() === this.text();
  }
}

const PERIOD = /^([-+]?)P(?:([-+]?\d+)Y)?(?:([-+]?\d+)M)?(?:([-+]?\d+)W)?(?:([-+]?\d+)D)?$/i;

/** @throws JavaException for a text that is no period */
export function parsePeriod(text: string): JavaPeriod {
  const match = PERIOD.exec(text);
  const parts = match?.slice(2).map((part) => (part === undefined ? null : Number(part))) ?? [];
  if (match === null || parts.every((part) => part === null)) {
    throw new DateTimeParseException('Text cannot be parsed to a Period', text, 0);
  }
  const sign = match[1] === '-' ? -1 : 1;
  const [years, months, weeks, days] = parts.map((part) => sign * (part ?? 0));
  const all = [years ?? 0, months ?? 0, (weeks ?? 0) * 7 + (days ?? 0)] as const;
  if (all.some((part) => BigInt.asIntN(INT_BITS, BigInt(part)) !== BigInt(part))) {
    throw new DateTimeParseException('Text cannot be parsed to a Period', text, 0);
  }
  return new JavaPeriod(...all);
}

/** Years, months and days from one day to another. */
export function periodBetween(from: number, to: number): JavaPeriod {
  const [start, end] = [dateOf(from), dateOf(to)];
  let months = (end.year - start.year) * 12 + end.month - start.month;
  let days = end.day - start.day;
  if (months > 0 && days < 0) {
    months--;
    days = to - plusMonths(from, months);
  } else if (months < 0 && days > 0) {
    months++;
    days -= lengthOfMonth(end.year, end.month);
  }
  return new JavaPeriod(Math.trunc(months / 12), months % 12 === 0 ? 0 : months % 12, days);
}

/**
 * `LocalDate`, `LocalTime` and `LocalDateTime`.
 */
import type { ScriptObject } from '../values/script-object.ts';
import { dateOf, NANOS_PER_DAY, NANOS_PER_SECOND } from './calendar-math.ts';
import { dateText, isoText, LocalTemporal, timeText } from './local-temporal.ts';
import type { JavaTemporal } from './temporal.ts';
import { dateTimeException } from './time-errors.ts';

/** @throws JavaException: one temporal does not hold what the other class needs */
export function unobtainable(simpleName: string, from: JavaTemporal): Error {
  return dateTimeException(
    `Unable to obtain ${simpleName} from TemporalAccessor: ${from.text()} of type ${from.typeName}`,
  );
}

/** Years, months and days that lie between, whichever of them is the first to differ. */
export function compareDays(a: number, b: number): number {
  if (a === b) return 0;
  const [left, right] = [dateOf(a), dateOf(b)];
  return left.year - right.year || left.month - right.month || left.day - right.day;
}

export class JavaLocalDate extends LocalTemporal {
  readonly javaClass = 'java.time.LocalDate';
  readonly epochDay: number;
  readonly nanoOfDay = null;

  constructor(epochDay: number) {
    super();
    this.epochDay = epochDay;
  }

  protected rebuilt(epochDay: number): JavaLocalDate {
    return new JavaLocalDate(epochDay);
  }

  protected likeThis(other: JavaTemporal): this {
    return JavaLocalDate.from(other) as this;
  }

  static from(other: JavaTemporal): JavaLocalDate {
    if (other instanceof JavaLocalDate) return other;
    if (other.epochDay === null) throw unobtainable('LocalDate', other);
    return new JavaLocalDate(other.epochDay);
  }

  text(): string {
    return dateText(this.epochDay);
  }

  override key(): unknown {
    return `day ${this.epochDay}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaLocalDate && other.epochDay === this.epochDay;
  }

  override compare(other: ScriptObject): number | null {
    return other instanceof JavaLocalDate ? compareDays(this.epochDay, other.epochDay) : null;
  }
}

/** Order of two times by hours, minutes, seconds and nanoseconds. */
export const compareTimes = (a: number, b: number): number => Math.sign(a - b);

export class JavaLocalTime extends LocalTemporal {
  readonly javaClass = 'java.time.LocalTime';
  readonly epochDay = null;
  readonly nanoOfDay: number;

  constructor(nanoOfDay: number) {
    super();
    this.nanoOfDay = nanoOfDay;
  }

  protected rebuilt(_epochDay: number, nanoOfDay: number): JavaLocalTime {
    return new JavaLocalTime(nanoOfDay);
  }

  protected likeThis(other: JavaTemporal): this {
    return JavaLocalTime.from(other) as this;
  }

  static from(other: JavaTemporal): JavaLocalTime {
    if (other instanceof JavaLocalTime) return other;
    if (other.nanoOfDay === null) throw unobtainable('LocalTime', other);
    return new JavaLocalTime(other.nanoOfDay);
  }

  text(): string {
    return timeText(this.nanoOfDay);
  }

  override key(): unknown {
    return `time ${this.nanoOfDay}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaLocalTime && other.nanoOfDay === this.nanoOfDay;
  }

  override compare(other: ScriptObject): number | null {
    return other instanceof JavaLocalTime ? compareTimes(this.nanoOfDay, other.nanoOfDay) : null;
  }
}

export class JavaLocalDateTime extends LocalTemporal {
  readonly javaClass = 'java.time.LocalDateTime';
  readonly epochDay: number;
  readonly nanoOfDay: number;

  constructor(epochDay: number, nanoOfDay: number) {
    super();
    this.epochDay = epochDay;
    this.nanoOfDay = nanoOfDay;
  }

  /** @param seconds since 1970 by the clock on the wall */
  static ofSeconds(seconds: number, nano: number): JavaLocalDateTime {
    const day = Math.floor(seconds / 86_400);
    return new JavaLocalDateTime(day, (seconds - day * 86_400) * NANOS_PER_SECOND + nano);
  }

  protected rebuilt(epochDay: number, nanoOfDay: number): JavaLocalDateTime {
    return new JavaLocalDateTime(epochDay, nanoOfDay);
  }

  protected likeThis(other: JavaTemporal): this {
    return JavaLocalDateTime.from(other) as this;
  }

  static from(other: JavaTemporal): JavaLocalDateTime {
    if (other instanceof JavaLocalDateTime) return other;
    const { epochDay, nanoOfDay } = other;
    if (epochDay === null || nanoOfDay === null) throw unobtainable('LocalDateTime', other);
    return new JavaLocalDateTime(epochDay, nanoOfDay);
  }

  text(): string {
    return `${dateText(this.epochDay)}T${timeText(this.nanoOfDay)}`;
  }

  override json(): unknown {
    return isoText(this, 'Z');
  }

  override key(): unknown {
    return `local ${this.epochDay} ${this.nanoOfDay}`;
  }

  override equals(other: ScriptObject): boolean {
    return other instanceof JavaLocalDateTime && other.epochDay === this.epochDay && other.nanoOfDay === this.nanoOfDay;
  }

  override compare(other: ScriptObject): number | null {
    if (!(other instanceof JavaLocalDateTime)) return null;
    return compareDays(this.epochDay, other.epochDay) || compareTimes(this.nanoOfDay, other.nanoOfDay);
  }
}

/** Nanoseconds since midnight of the last moment of a day. */
export const LAST_NANO: number = NANOS_PER_DAY - 1;

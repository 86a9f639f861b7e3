/**
 * An instant with nanoseconds, as `@timestamp` and the date filter have it. Immutable.
 */

const NANOS_PER_MILLI = 1_000_000;
const DAY_MS = 86_400_000;
/** `00` to `99`: printing is on the hot path, and the platform's own is four times slower. */
const TWO_DIGITS: readonly string[] = Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0'));
/** 0001-01-01 and 10000-01-01: between them a year has four digits. */
const FOUR_DIGITS_FROM_MS = Date.parse('0001-01-01T00:00:00Z');
const FOUR_DIGITS_BELOW_MS = Date.UTC(10_000, 0, 1);

export class Timestamp {
  /** Milliseconds since 1970-01-01 UTC. Integer, may be negative. */
  readonly epochMs: number;
  /** Beyond the millisecond: 0..999,999. */
  readonly nanos: number;

  constructor(epochMs: number, nanos = 0) {
    this.epochMs = epochMs;
    this.nanos = nanos;
  }

  /** ISO 8601 in UTC with at least 3 digits of fraction; further trailing zeros are cut. */
  toString(): string {
    const text = isoText(this.epochMs);
    if (this.nanos === 0) return `${text}Z`;
    const digits = String(NANOS_PER_MILLI + this.nanos)
      .slice(1)
      .replace(/0+$/, '');
    return `${text}${digits}Z`;
  }

  toJSON(): string {
    return this.toString();
  }

  equals(other: Timestamp): boolean {
    return this.epochMs === other.epochMs && this.nanos === other.nanos;
  }
}

/** To the millisecond, without the `Z`. */
function isoText(epochMs: number): string {
  if (epochMs < FOUR_DIGITS_FROM_MS || epochMs >= FOUR_DIGITS_BELOW_MS || !Number.isInteger(epochMs)) {
    return new Date(epochMs).toISOString().slice(0, -1);
  }
  const day = Math.floor(epochMs / DAY_MS);
  const ms = epochMs - day * DAY_MS;
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  return (
    `${dateText(day)}T${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}.` +
    `${Math.floor((ms % 1000) / 100)}${two(ms % 100)}`
  );
}

/**
 * The civil date of a day counted from 1970-01-01, by Howard Hinnant's arithmetic ("chrono-Compatible Low-Level Date
 * Algorithms"): years begin in March, so that the leap day is the last of one.
 */
function dateText(epochDay: number): string {
  const shifted = epochDay + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${two(Math.floor(year / 100))}${two(year % 100)}-${two(month)}-${two(day)}`;
}

function two(value: number): string {
  return TWO_DIGITS[value] ?? '';
}

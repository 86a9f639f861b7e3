/**
 * Proleptic Gregorian calendar in UTC: date parts to milliseconds since 1970 and back.
 *
 * Own arithmetic (Howard Hinnant's "days from civil") because `Date.UTC` reads years 0..99 as 19xx.
 */

/** Parts of a date as found in a text; -1 where the text does not have one. */
export interface DateParts {
  year: number;
  /** 1..12 */
  month: number;
  /** 1..31 */
  day: number;
  hour: number;
  minute: number;
  second: number;
  /** 0..999; finer digits stand in `submillis`. */
  millisecond: number;
  /** Nanoseconds behind the millisecond, 0..999999; -1 where the text has no fraction of a second. */
  submillis: number;
  /** Minutes east of UTC; `NO_OFFSET` when the text names none. */
  offsetMinutes: number;
}

const NO_OFFSET = 0x7fff;
const DAY_MS = 86_400_000;

export function emptyParts(): DateParts {
  return {
    year: -1,
    month: -1,
    day: -1,
    hour: -1,
    minute: -1,
    second: -1,
    millisecond: -1,
    submillis: -1,
    offsetMinutes: NO_OFFSET,
  };
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days from 1970-01-01 to the given day. */
export function daysFromCivil(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/**
 * Milliseconds of the parts, NaN when a part is out of range. Missing ones are the smallest; with `roundUp` the time of
 * day is the latest, while month and day stay the first: Elasticsearch reads the end `2024-01` as the end of January 1st.
 */
export function partsToMs(parts: DateParts, roundUp: boolean, zoneOffsetMinutes: number): number {
  const year = parts.year === -1 ? 1970 : parts.year;
  const month = parts.month === -1 ? 1 : parts.month;
  if (month < 1 || month > 12) return Number.NaN;
  const day = parts.day === -1 ? 1 : parts.day;
  if (day < 1 || day > daysInMonth(year, month)) return Number.NaN;
  const hour = parts.hour === -1 ? (roundUp ? 23 : 0) : parts.hour;
  const minute = parts.minute === -1 ? (roundUp ? 59 : 0) : parts.minute;
  const second = parts.second === -1 ? (roundUp ? 59 : 0) : parts.second;
  const ms = parts.millisecond === -1 ? (roundUp ? 999 : 0) : parts.millisecond;
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  const offset = parts.offsetMinutes === NO_OFFSET ? zoneOffsetMinutes : parts.offsetMinutes;
  const local = daysFromCivil(year, month, day) * DAY_MS + hour * 3_600_000 + minute * 60_000 + second * 1_000 + ms;
  return local - offset * 60_000;
}

/** Parts of an instant in UTC. */
export function msToParts(ms: number): DateParts {
  const days = Math.floor(ms / DAY_MS);
  const rest = ms - days * DAY_MS;
  const z = days + 719_468;
  const era = Math.floor(z / 146_097);
  const dayOfEra = z - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shifted + 2) / 5) + 1,
    hour: Math.floor(rest / 3_600_000),
    minute: Math.floor(rest / 60_000) % 60,
    second: Math.floor(rest / 1_000) % 60,
    millisecond: rest % 1_000,
    submillis: 0,
    offsetMinutes: 0,
  };
}

/** Decimal text with leading zeros. */
export function padded(value: number, width: number): string {
  return value < 0 ? `-${padded(-value, width)}` : String(value).padStart(width, '0');
}

/** A year with leading zeros; one that is longer than four digits and than `width` has a sign. */
export function printYear(year: number, width: number): string {
  const text = padded(year, width);
  return width >= 4 && text.length > width && year > 0 ? `+${text}` : text;
}

/** `+05:30` with a colon between, `+0530` without. */
export function printZoneOffset(minutes: number, between: ':' | ''): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${padded(Math.floor(size / 60), 2)}${between}${padded(size % 60, 2)}`;
}

const POWERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];

/** Sets the fraction of a second from its digits, at most nine. */
export function setFraction(parts: DateParts, digits: number, count: number): void {
  const nanos = digits * (POWERS[9 - count] as number);
  parts.millisecond = Math.floor(nanos / 1_000_000);
  parts.submillis = nanos % 1_000_000;
}

/** Digits of a fraction of a second: at least three, no zeros at the end behind them. */
export function fractionText(millisecond: number, submillis: number): string {
  const digits = `${padded(millisecond, 3)}${padded(submillis, 6)}`;
  return submillis === 0 ? digits.slice(0, 3) : digits.replace(/0+$/, '');
}

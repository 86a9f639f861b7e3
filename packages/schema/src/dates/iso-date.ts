/**
 * ISO-8601 dates with optional parts: `2024`, `2024-01-02`, `2024-01-02T03:04:05.678Z`, `2024-01-02T03:04+02:00`.
 *
 * The fast path of nearly every date that is indexed: one pass over the character codes, nothing allocated but the parts.
 */
import { type DateParts, emptyParts, setFraction } from './calendar.ts';

const ZERO = 48;

/** Input and position of one parse; `digits` advances it. */
interface Cursor {
  readonly text: string;
  at: number;
}

/**
 * Parts of the text, or null when it is no such date. `isStrict` wants all digits (`2024-01-02`, not `2024-1-2`);
 * `wantsTime` refuses a date without time.
 */
export function parseIsoDate(text: string, isStrict: boolean): DateParts | null {
  const cursor: Cursor = { text, at: 0 };
  const parts = emptyParts();
  const isNegative = text.charCodeAt(0) === 45;
  if (isNegative) cursor.at = 1;
  const year = digits(cursor, isStrict ? 4 : 1, isNegative ? 9 : 4);
  if (year < 0) return null;
  parts.year = isNegative ? -year : year;
  const min = isStrict ? 2 : 1;
  if (accept(cursor, 45)) {
    if ((parts.month = digits(cursor, min, 2)) < 0) return null;
    if (accept(cursor, 45) && (parts.day = digits(cursor, min, 2)) < 0) return null;
  }
  if (cursor.at === text.length) return parts;
  if (!accept(cursor, 84)) return null;
  // `2024-01-02T` alone is accepted: the time is optional as a whole.
  if (cursor.at === text.length) return parts.day === -1 ? null : parts;
  if ((parts.hour = digits(cursor, min, 2)) < 0) return null;
  if (accept(cursor, 58)) {
    if ((parts.minute = digits(cursor, min, 2)) < 0) return null;
    if (accept(cursor, 58)) {
      if ((parts.second = digits(cursor, min, 2)) < 0) return null;
      if (accept(cursor, 46) || accept(cursor, 44)) {
        if (!readFraction(cursor, parts)) return null;
      }
    }
  }
  if (cursor.at < text.length && !readOffset(cursor, parts)) return null;
  return cursor.at === text.length ? parts : null;
}

function accept(cursor: Cursor, code: number): boolean {
  if (cursor.text.charCodeAt(cursor.at) !== code) return false;
  cursor.at++;
  return true;
}

/** The number at the cursor, -1 when there are fewer than `min` digits. */
function digits(cursor: Cursor, min: number, max: number): number {
  let value = 0;
  let count = 0;
  while (count < max) {
    const digit = cursor.text.charCodeAt(cursor.at) - ZERO;
    if (!(digit >= 0 && digit <= 9)) break;
    value = value * 10 + digit;
    cursor.at++;
    count++;
  }
  return count < min ? -1 : value;
}

/** One to nine digits of a second. */
function readFraction(cursor: Cursor, parts: DateParts): boolean {
  const start = cursor.at;
  const value = digits(cursor, 1, 9);
  if (value < 0) return false;
  setFraction(parts, value, cursor.at - start);
  return true;
}

function readOffset(cursor: Cursor, parts: DateParts): boolean {
  if (accept(cursor, 90)) {
    parts.offsetMinutes = 0;
    return true;
  }
  const isEast = accept(cursor, 43);
  if (!isEast && !accept(cursor, 45)) return false;
  const hours = digits(cursor, 2, 2);
  if (hours < 0 || hours > 18) return false;
  let minutes = 0;
  if (cursor.at < cursor.text.length) {
    accept(cursor, 58);
    minutes = digits(cursor, 2, 2);
    if (minutes < 0 || minutes > 59) return false;
  }
  parts.offsetMinutes = (isEast ? 1 : -1) * (hours * 60 + minutes);
  return true;
}

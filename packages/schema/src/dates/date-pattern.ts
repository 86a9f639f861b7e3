/**
 * Compiler of Java date patterns such as `yyyy-MM-dd HH:mm:ss.SSSXXX` into steps that read and print.
 *
 * Letters: y u Y M w W d D e c E H h a m s S X x Z z, text in quotes, optional parts in brackets. Names of months and days
 * are English; weeks are those of ISO-8601, as Elasticsearch has them for every locale without a country. Any other letter is an error of the pattern, never a silent literal.
 */
import { illegalArgument } from '@shoal/core';
import {
  type DateParts,
  daysFromCivil,
  emptyParts,
  msToParts,
  padded,
  printYear,
  printZoneOffset,
  setFraction,
} from './calendar.ts';
import { daysOfWeekDate, weekDateOf, weekOfMonth, weeksInYear } from './week-date.ts';

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEK_DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');
const YEAR_DIGITS = 4;
const WEEKS_MAX = 53;
const FRACTION_DIGITS_MAX = 9;
const DAY_MS = 86_400_000;
const LETTERS = 'yuYMwWdDecEHhamsSXxZz';

interface LetterStep {
  readonly kind: 'letter';
  readonly letter: string;
  readonly count: number;
}
type Step =
  | LetterStep
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'optional'; readonly steps: readonly Step[] };

/** State of one parse. `halfDay`, `dayOfYear` and the week are folded into the parts at the end. */
interface Reading {
  readonly text: string;
  readonly isStrict: boolean;
  readonly isNamed: boolean;
  at: number;
  parts: DateParts;
  halfDay: number;
  dayOfYear: number;
  weekYear: number;
  week: number;
  weekDay: number;
}

export interface DatePattern {
  parse(text: string): DateParts | null;
  /** Why a text that cannot be parsed cannot, as Java tells it: where its reading ended. */
  complaint(text: string): string;
  /** Text of an instant on a clock `offsetMinutes` east of UTC; `submillis`: nanoseconds behind the millisecond. */
  print(ms: number, offsetMinutes: number, submillis: number): string;
}

export interface PatternOptions {
  /** False: numbers may have fewer digits than letters, a year as well. Default true. */
  readonly isStrict?: boolean;
  /**
   * True for a named format: a fraction of a second has 1 to 9 digits, and a week that its year does not have is an error,
   * where a pattern of a user means the last one. Default false.
   */
  readonly isNamed?: boolean;
}

/** Throws `illegal_argument_exception` for a letter that is not known. */
export function compileDatePattern(pattern: string, options: PatternOptions = {}): DatePattern {
  const { isStrict = true, isNamed = false } = options;
  const cursor = { at: 0 };
  const steps = compile(pattern, cursor, false);
  return {
    parse: (text) => {
      const reading = startReading(text, { isStrict, isNamed });
      return readAll(steps, reading) && reading.at === text.length ? finish(reading) : null;
    },
    complaint: (text) => {
      const reading = startReading(text, { isStrict, isNamed });
      if (!readAll(steps, reading)) return `could not be parsed at index ${reading.at}`;
      if (reading.at === text.length) return 'could not be parsed at index 0';
      return `could not be parsed, unparsed text found at index ${reading.at}`;
    },
    print: (ms, offsetMinutes, submillis) => {
      const local = ms + offsetMinutes * 60_000;
      return printAll(steps, { ...msToParts(local), offsetMinutes, submillis }, local);
    },
  };
}

function startReading(text: string, options: Required<PatternOptions>): Reading {
  const parts = emptyParts();
  return { ...options, text, at: 0, parts, halfDay: -1, dayOfYear: -1, weekYear: -1, week: -1, weekDay: -1 };
}

function compile(pattern: string, cursor: { at: number }, isInside: boolean): readonly Step[] {
  const steps: Step[] = [];
  while (cursor.at < pattern.length) {
    const c = pattern.charAt(cursor.at);
    if (c === ']') {
      if (!isInside) throw invalidFormat(pattern, 'Pattern invalid as it contains ] without previous [');
      return steps;
    }
    if (c === '[') {
      cursor.at++;
      steps.push({ kind: 'optional', steps: compile(pattern, cursor, true) });
      cursor.at++;
    } else if (c === "'") {
      steps.push(quoted(pattern, cursor));
    } else if (/[A-Za-z]/.test(c)) {
      if (!LETTERS.includes(c)) throw invalidFormat(pattern, `Unknown pattern letter: ${c}`);
      const start = cursor.at;
      while (pattern.charAt(cursor.at) === c) cursor.at++;
      steps.push({ kind: 'letter', letter: c, count: cursor.at - start });
    } else {
      cursor.at++;
      steps.push({ kind: 'literal', text: c });
    }
  }
  if (isInside) throw invalidFormat(pattern, 'Pattern invalid as it contains [ without ]');
  return steps;
}

function quoted(pattern: string, cursor: { at: number }): Step {
  let text = '';
  cursor.at++;
  for (;;) {
    if (cursor.at >= pattern.length) throw invalidFormat(pattern, 'Pattern ends with an incomplete string literal');
    const c = pattern.charAt(cursor.at++);
    if (c === "'") {
      if (pattern.charAt(cursor.at) !== "'") return { kind: 'literal', text: text === '' ? "'" : text };
      cursor.at++;
    }
    text += c;
  }
}

function invalidFormat(pattern: string, why: string): Error {
  return illegalArgument(`Invalid format: [${pattern}]: ${why}`);
}

function readAll(steps: readonly Step[], reading: Reading): boolean {
  return steps.every((step, index) => {
    switch (step.kind) {
      case 'literal':
        if (!reading.text.startsWith(step.text, reading.at)) return false;
        reading.at += step.text.length;
        return true;
      case 'optional': {
        const at = reading.at;
        const parts = { ...reading.parts };
        if (!readAll(step.steps, reading)) {
          reading.at = at;
          reading.parts = parts;
        }
        return true;
      }
      default:
        return !isOverlongYear(step, steps[index + 1], reading) && readLetter(step.letter, step.count, reading);
    }
  });
}

/** A year with more digits than letters, which needs a sign; where a number follows at once the digits behind are its. */
function isOverlongYear(
  { letter, count }: LetterStep,
  next: Step | undefined,
  { isStrict, text, at }: Reading,
): boolean {
  if (!isStrict || count < YEAR_DIGITS || !'yuY'.includes(letter) || next?.kind === 'letter') return false;
  return /^\d{5}/.test(text.slice(at, at + YEAR_DIGITS + 1));
}

/** A year of four letters may have a sign: where digits are missing, reading ended behind it. */
function isBrokenSignedYear(letter: string, count: number, reading: Reading): boolean {
  if (!reading.isStrict || count < YEAR_DIGITS || !'yuY'.includes(letter)) return false;
  if (!/^[-+](?!\d{4})/.test(reading.text.slice(reading.at))) return false;
  reading.at++;
  return true;
}

function readLetter(letter: string, count: number, reading: Reading): boolean {
  if (isBrokenSignedYear(letter, count, reading)) return false;
  const parts = reading.parts;
  const number = (min: number, max: number): number => readNumber(reading, min, max);
  const two = (): number => number(count >= 2 && reading.isStrict ? 2 : 1, 2);
  switch (letter) {
    case 'y':
    case 'u':
      if (count === 2) return (parts.year = number(2, 2) + 2000) >= 2000;
      return (parts.year = number(count >= 4 && reading.isStrict ? 4 : 1, 4)) >= 0;
    case 'Y':
      if (count === 2) return (reading.weekYear = number(2, 2) + 2000) >= 2000;
      return (reading.weekYear = number(count >= 4 && reading.isStrict ? 4 : 1, 4)) >= 0;
    case 'w':
      return (reading.week = two()) >= 1;
    case 'W':
      return number(1, 1) >= 0;
    case 'e':
    case 'c':
      if (count >= 3) return (reading.weekDay = readName(reading, WEEK_DAYS, count) + 1) >= 1;
      return (reading.weekDay = two()) >= 1 && reading.weekDay <= WEEK_DAYS.length;
    case 'M':
      return (parts.month = count >= 3 ? readName(reading, MONTHS, count) + 1 : two()) >= 1;
    case 'd':
      return (parts.day = two()) >= 1;
    case 'D':
      return (reading.dayOfYear = number(reading.isStrict ? count : 1, 3)) >= 1;
    case 'H':
      return (parts.hour = two()) >= 0;
    case 'h':
      return (parts.hour = two() % 12) >= 0;
    case 'm':
      return (parts.minute = two()) >= 0;
    case 's':
      return (parts.second = two()) >= 0;
    case 'S': {
      const start = reading.at;
      const value = reading.isNamed ? number(1, FRACTION_DIGITS_MAX) : number(count, count);
      if (value < 0 || reading.at - start > FRACTION_DIGITS_MAX) return false;
      setFraction(parts, value, reading.at - start);
      return true;
    }
    case 'a':
      return (reading.halfDay = readName(reading, ['AM', 'PM'], 4)) >= 0;
    case 'E':
      return readName(reading, WEEK_DAYS, count) >= 0;
    default:
      return readOffset(reading, letter, count);
  }
}

function readNumber(reading: Reading, min: number, max: number): number {
  let end = reading.at;
  while (end < reading.at + max && /^\d$/.test(reading.text.charAt(end))) end++;
  if (end - reading.at < min) return -1;
  const value = Number(reading.text.slice(reading.at, end));
  reading.at = end;
  return value;
}

/** Index of the name at the cursor: short with up to three letters, whole with four. */
function readName(reading: Reading, names: readonly string[], count: number): number {
  const rest = reading.text.slice(reading.at).toLowerCase();
  const index = names.findIndex((name) => rest.startsWith(shownName(name, count).toLowerCase()));
  if (index >= 0) reading.at += shownName(names[index] ?? '', count).length;
  return index;
}

function shownName(name: string, count: number): string {
  return count >= 4 ? name : name.slice(0, 3);
}

function readOffset(reading: Reading, letter: string, count: number): boolean {
  const rest = reading.text.slice(reading.at);
  const word =
    letter === 'z' || letter === 'X' || (letter === 'Z' && count > 4) ? /^(?:Z|UTC|GMT)(?![A-Za-z])/.exec(rest) : null;
  if (word !== null) {
    reading.parts.offsetMinutes = 0;
    reading.at += word[0].length;
    return true;
  }
  const match = /^([+-])(\d{2}):?(\d{2})?/.exec(rest);
  if (match === null) return false;
  reading.at += match[0].length;
  reading.parts.offsetMinutes = (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3] ?? 0));
  return true;
}

function finish(reading: Reading): DateParts | null {
  const parts = reading.parts;
  if (reading.halfDay >= 0 && parts.hour >= 0) parts.hour = (parts.hour % 12) + reading.halfDay * 12;
  // Month and day of the calendar say nothing of a year of weeks.
  if (reading.weekYear >= 0 && parts.year === -1) return setWeekDate(reading) ? parts : null;
  if (reading.dayOfYear > 0) {
    const year = parts.year === -1 ? 1970 : parts.year;
    const day = msToParts((daysFromCivil(year, 1, 1) + reading.dayOfYear - 1) * DAY_MS);
    if (day.year !== year) return null;
    parts.month = day.month;
    parts.day = day.day;
  }
  return parts;
}

/** Sets the day of the parts: the first of what the text leaves out. False when there is no such week. */
function setWeekDate({ parts, weekYear, week, weekDay, isNamed }: Reading): boolean {
  const last = weeksInYear(weekYear);
  if (week > WEEKS_MAX || (isNamed && week > last)) return false;
  const date = { weekYear, week: Math.min(Math.max(week, 1), last), weekDay: Math.max(weekDay, 1) };
  const { year, month, day } = msToParts(daysOfWeekDate(date) * DAY_MS);
  Object.assign(parts, { year, month, day });
  return true;
}

function printAll(steps: readonly Step[], parts: DateParts, ms: number): string {
  return steps
    .map((step) => {
      switch (step.kind) {
        case 'literal':
          return step.text;
        case 'optional':
          return printAll(step.steps, parts, ms);
        default:
          return printLetter(step.letter, step.count, parts, ms);
      }
    })
    .join('');
}

function printLetter(letter: string, count: number, parts: DateParts, ms: number): string {
  switch (letter) {
    case 'y':
    case 'u':
      return count === 2 ? padded(parts.year % 100, 2) : printYear(parts.year, count);
    case 'M':
      return count >= 3 ? shownName(MONTHS[parts.month - 1] ?? '', count) : padded(parts.month, count);
    case 'd':
      return padded(parts.day, count);
    case 'D':
      return padded(daysFromCivil(parts.year, parts.month, parts.day) - daysFromCivil(parts.year, 1, 1) + 1, count);
    case 'H':
      return padded(parts.hour, count);
    case 'h':
      return padded(parts.hour % 12 === 0 ? 12 : parts.hour % 12, count);
    case 'a':
      return parts.hour < 12 ? 'AM' : 'PM';
    case 'm':
      return padded(parts.minute, count);
    case 's':
      return padded(parts.second, count);
    case 'S':
      return `${padded(parts.millisecond, 3)}${padded(parts.submillis, 6)}`.slice(0, count);
    case 'Y':
    case 'w':
    case 'W':
    case 'e':
    case 'c':
    case 'E':
      return printWeekLetter(letter, count, parts.day, ms);
    default:
      return printOffset(letter, count, parts.offsetMinutes);
  }
}

function printWeekLetter(letter: string, count: number, dayOfMonth: number, ms: number): string {
  const { weekYear, week, weekDay } = weekDateOf(Math.floor(ms / DAY_MS));
  switch (letter) {
    case 'Y':
      return count === 2 ? padded(weekYear % 100, 2) : padded(weekYear, count);
    case 'w':
      return padded(week, count);
    case 'W':
      return padded(weekOfMonth(dayOfMonth, weekDay), count);
    default:
      return letter !== 'E' && count < 3 ? padded(weekDay, count) : shownName(WEEK_DAYS[weekDay - 1] ?? '', count);
  }
}

function printOffset(letter: string, count: number, minutes: number): string {
  if (minutes === 0) {
    if (letter === 'X' || (letter === 'Z' && count > 4)) return 'Z';
    if (letter === 'z') return 'UTC';
  }
  const hasColon = count === 3 || (letter === 'Z' && count > 4);
  return printZoneOffset(minutes, hasColon ? ':' : '');
}

/**
 * Time formats of `%{+FORMAT}` (Joda's letters) and `%{{FORMAT}}` (java.time's), compiled to a function; always UTC.
 *
 * The letters differ: `YYYY` is the year of era in Joda and the week-year in java.time, `S` there is a fraction, `e` a
 * number of the weekday, `u` a year. English names whatever the machine's language is.
 */
import { ShoalError } from '@shoal/core';
import type { Timestamp } from './timestamp.ts';

export type TimeFormat = (time: Timestamp) => string;

/** `width` is how often the letter is repeated. */
type Letter = (date: Date, width: number, time: Timestamp) => string;

const DAY_MS = 86_400_000;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

const pad = (value: number, width: number): string => {
  const digits = String(Math.abs(value)).padStart(width, '0');
  return value < 0 ? `-${digits}` : digits;
};
const year = (value: number, width: number): string =>
  width === 2 ? pad(((value % 100) + 100) % 100, 2) : pad(value, width);
const name = (names: readonly string[], index: number, width: number): string => {
  const full = names[index] ?? '';
  return width >= 4 ? full : full.slice(0, 3);
};
const isoWeekday = (date: Date): number => date.getUTCDay() || 7;
const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1;
const fraction = (time: Timestamp, width: number): string => {
  const ms = ((time.epochMs % 1000) + 1000) % 1000;
  return (pad(ms, 3) + pad(time.nanos, 6)).padEnd(width, '0').slice(0, width);
};

const millisOfDay = (date: Date): number => ((date.getTime() % DAY_MS) + DAY_MS) % DAY_MS;

/** ISO 8601: the week belongs to the year that has its Thursday. */
function isoWeek(date: Date): { readonly year: number; readonly week: number } {
  const thursday = new Date(date.getTime() + (4 - isoWeekday(date)) * DAY_MS);
  return { year: thursday.getUTCFullYear(), week: Math.floor((dayOfYear(thursday) - 1) / 7) + 1 };
}

const month: Letter = (date, width) =>
  width >= 3 ? name(MONTHS, date.getUTCMonth(), width) : pad(date.getUTCMonth() + 1, width);

const SHARED: Readonly<Record<string, Letter>> = {
  y: (date, width) => year(date.getUTCFullYear(), width),
  M: month,
  d: (date, width) => pad(date.getUTCDate(), width),
  D: (date, width) => pad(dayOfYear(date), width),
  a: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  H: (date, width) => pad(date.getUTCHours(), width),
  k: (date, width) => pad(date.getUTCHours() || 24, width),
  K: (date, width) => pad(date.getUTCHours() % 12, width),
  h: (date, width) => pad(date.getUTCHours() % 12 || 12, width),
  m: (date, width) => pad(date.getUTCMinutes(), width),
  s: (date, width) => pad(date.getUTCSeconds(), width),
  S: (_, width, time) => fraction(time, width),
  E: (date, width) => name(WEEKDAYS, date.getUTCDay(), width),
  w: (date, width) => pad(isoWeek(date).week, width),
  G: () => 'AD',
  z: () => 'UTC',
};

const JODA: Readonly<Record<string, Letter>> = {
  ...SHARED,
  Y: (date, width) => year(date.getUTCFullYear(), width),
  x: (date, width) => year(isoWeek(date).year, width),
  C: (date, width) => pad(Math.floor(date.getUTCFullYear() / 100), width),
  e: (date, width) => pad(isoWeekday(date), width),
  Z: (_, width) => (width === 1 ? '+0000' : width === 2 ? '+00:00' : 'UTC'),
};

const JAVA_TIME: Readonly<Record<string, Letter>> = {
  ...SHARED,
  u: (date, width) => year(date.getUTCFullYear(), width),
  Y: (date, width) => year(isoWeek(date).year, width),
  L: month,
  e: (date, width) => (width >= 3 ? name(WEEKDAYS, date.getUTCDay(), width) : pad(isoWeekday(date), width)),
  c: (date, width) => (width >= 3 ? name(WEEKDAYS, date.getUTCDay(), width) : pad(isoWeekday(date), width)),
  Q: (date, width) => pad(Math.floor(date.getUTCMonth() / 3) + 1, width),
  q: (date, width) => pad(Math.floor(date.getUTCMonth() / 3) + 1, width),
  n: (_, width, time) => pad(Number(fraction(time, 9)), width),
  A: (date, width) => pad(millisOfDay(date), width),
  V: () => 'UTC',
  v: () => 'UTC',
  O: () => 'GMT',
  X: () => 'Z',
  x: (_, width) => (width === 1 ? '+00' : width % 2 === 0 ? '+0000' : '+00:00'),
  Z: (_, width) => (width <= 3 ? '+0000' : width === 4 ? 'GMT' : 'Z'),
};

/**
 * @throws ShoalError `illegal_argument_exception` for a letter that means nothing, or an unclosed quote
 */
export function compileJodaFormat(format: string): TimeFormat {
  return compile(format, JODA);
}

/** The same as `compileJodaFormat`, with java.time's letters. */
export function compileJavaTimeFormat(format: string): TimeFormat {
  return compile(format, JAVA_TIME);
}

/** Time that a letter's text stands still, in milliseconds; whatever is not here changes with the day at the soonest. */
const STANDS_MS: Readonly<Record<string, number>> = {
  a: 3_600_000,
  H: 3_600_000,
  k: 3_600_000,
  K: 3_600_000,
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  S: 0,
  n: 0,
  A: 0,
};

type Piece = string | { readonly letter: Letter; readonly width: number; readonly standsMs: number };

function compile(format: string, letters: Readonly<Record<string, Letter>>): TimeFormat {
  const pieces = splitFormat(format, letters);
  const print = (time: Timestamp): string => {
    const date = new Date(time.epochMs);
    let text = '';
    for (const piece of pieces) text += typeof piece === 'string' ? piece : piece.letter(date, piece.width, time);
    return text;
  };
  const standsMs = Math.min(DAY_MS, ...pieces.map((piece) => (typeof piece === 'string' ? DAY_MS : piece.standsMs)));
  return standsMs === 0 ? print : rememberLast(print, standsMs);
}

/** Events that follow each other are mostly of one day: names of indices and files are printed once for it. */
function rememberLast(print: TimeFormat, standsMs: number): TimeFormat {
  let lastUnit = Number.NaN;
  let lastText = '';
  return (time) => {
    const unit = Math.floor(time.epochMs / standsMs);
    if (unit !== lastUnit) {
      lastText = print(time);
      lastUnit = unit;
    }
    return lastText;
  };
}

/** A run of one letter, a quoted text, or one other character. */
const PIECE = /([A-Za-z])\1*|'((?:[^']|'')*)'|[^A-Za-z']/gy;

function splitFormat(format: string, letters: Readonly<Record<string, Letter>>): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of format.matchAll(PIECE)) {
    end = match.index + match[0].length;
    const [run, char, quoted] = match;
    if (quoted !== undefined) pieces.push(quoted === '' ? "'" : quoted.replaceAll("''", "'"));
    else if (char === undefined) pieces.push(run);
    else {
      const letter = Object.hasOwn(letters, char) ? letters[char] : undefined;
      if (letter === undefined) throw invalid(format, `the letter "${char}" has no meaning`);
      pieces.push({ letter, width: run.length, standsMs: STANDS_MS[char] ?? DAY_MS });
    }
  }
  if (end < format.length) throw invalid(format, 'a quote is not closed');
  return pieces;
}

function invalid(format: string, why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `Invalid time format [${format}]: ${why}`);
}

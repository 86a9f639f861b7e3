/**
 * Date formats in Joda's letters, compiled to steps over character codes: what the `date` filter reads texts with.
 *
 * Numbers are lenient in width unless another number follows at once; texts are read in any case; all of the text must be used.
 */
import { ShoalError } from '@shoal/core';
import { type DateFields, emptyDateFields, instantOf, resetDateFields } from './date-fields.ts';
import { timeZone, type Zone } from './time-zone.ts';

export interface DateParser {
  /** Milliseconds since 1970; null when the text is no date of this format. */
  parse(text: string, zone: Zone): number | null;
}

export interface JodaOptions {
  /** BCP 47 or Java's `en_US`: for names of months and days. */
  readonly locale: string;
  readonly nowMs: () => number;
}

/** Reads at `position` and gives the position behind; -1 when it does not fit. */
type Step = (text: string, position: number, fields: DateFields) => number;
type Assign = (fields: DateFields, value: number) => void;

interface Token {
  readonly letter: string;
  readonly width: number;
  readonly literal: string;
}

const TOKEN = /([A-Za-z])\1*|'((?:[^']|'')*)'|[^A-Za-z']+/gy;
const NUMERIC = 'CYyxwedDhHkKmsS';
const PIVOT_BACK_YEARS = 30;
const YEAR_DIGITS_MAX = 9;
const ZONE_NAMES: Readonly<Record<string, string>> = {
  EST: 'America/New_York',
  EDT: 'America/New_York',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
  UTC: 'UTC',
  GMT: 'UTC',
  UT: 'UTC',
};

/** @throws ShoalError for a letter that means nothing */
export function compileJodaParser(format: string, options: JodaOptions): DateParser {
  const tokens = tokensOf(format);
  const steps = tokens.map((token, index) => stepOf(token, isNumeric(tokens[index + 1]), options));
  const fields = emptyDateFields();
  return {
    parse: (text, zone) => {
      resetDateFields(fields);
      let position = 0;
      for (const step of steps) {
        position = step(text, position, fields);
        if (position < 0) return null;
      }
      return position === text.length ? instantOf(fields, zone, options.nowMs) : null;
    },
  };
}

function tokensOf(format: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  let end = 0;
  for (const match of format.matchAll(TOKEN)) {
    end = match.index + match[0].length;
    if (match[1] !== undefined) tokens.push({ letter: match[1], width: match[0].length, literal: '' });
    else {
      const quoted = match[2];
      const literal = quoted === undefined ? match[0] : quoted === '' ? "'" : quoted.replaceAll("''", "'");
      tokens.push({ letter: '', width: 0, literal });
    }
  }
  if (end !== format.length) throw unknownFormat(format, 'a quote is not closed');
  return tokens;
}

function isNumeric(token: Token | undefined): boolean {
  if (token === undefined || token.letter === '') return false;
  return NUMERIC.includes(token.letter) || (token.letter === 'M' && token.width <= 2);
}

function stepOf(token: Token, isNumberNext: boolean, options: JodaOptions): Step {
  const { letter, width } = token;
  switch (letter) {
    case '':
      return literal(token.literal);
    case 'y':
    case 'Y':
      return yearStep(width, isNumberNext, options);
    case 'x':
      return signedNumber(isNumberNext ? width : YEAR_DIGITS_MAX, (fields, value) => {
        fields.weekYear = value;
      });
    case 'M':
      return width <= 2 ? number(2, (fields, value) => void (fields.month = value)) : monthName(options.locale);
    case 'E':
      return weekdayName(options.locale);
    case 'G':
      return names(['bce', 'bc', 'ad', 'ce'], (fields, index) => void (fields.isBeforeChrist = index < 2));
    case 'a':
      return names(['am', 'pm'], (fields, index) => void (fields.isAfternoon = index === 1));
    case 'S':
      return fraction(width);
    case 'Z':
      return width <= 2 ? offset : zoneId;
    case 'z':
      return names(Object.keys(ZONE_NAMES), zoneAssign());
    default:
      return numberStep(letter, width);
  }
}

function numberStep(letter: string, width: number): Step {
  switch (letter) {
    case 'C':
      return number(width, (fields, value) => void (fields.century = value));
    case 'w':
      return number(2, (fields, value) => void (fields.week = value));
    case 'e':
      return number(1, (fields, value) => void (fields.weekday = value));
    case 'D':
      return number(3, (fields, value) => void (fields.dayOfYear = value));
    case 'd':
      return number(2, (fields, value) => void (fields.day = value));
    case 'H':
      return number(2, (fields, value) => void (fields.hour = value));
    case 'k':
      return number(2, (fields, value) => void (fields.hour = value === 24 ? 0 : value === 0 ? 99 : value));
    case 'K':
      return number(2, (fields, value) => void (fields.hourOfHalf = value));
    case 'h':
      return number(2, (fields, value) => void (fields.hourOfHalf = value === 12 ? 0 : value === 0 ? 99 : value));
    case 'm':
      return number(2, (fields, value) => void (fields.minute = value));
    case 's':
      return number(2, (fields, value) => void (fields.second = value));
    default:
      throw unknownFormat(letter.repeat(width), `the letter [${letter}] means nothing`);
  }
}

function literal(wanted: string): Step {
  if (wanted.length === 1) {
    const code = wanted.charCodeAt(0);
    if (wanted.toLowerCase() === wanted.toUpperCase()) {
      return (text, position) => (text.charCodeAt(position) === code ? position + 1 : -1);
    }
  }
  const lower = wanted.toLowerCase();
  return (text, position) => {
    const end = position + wanted.length;
    return text.slice(position, end).toLowerCase() === lower ? end : -1;
  };
}

/** One digit at least, `digitsMax` at most. */
function number(digitsMax: number, assign: Assign): Step {
  return (text, position, fields) => {
    let value = 0;
    let end = position;
    const last = position + digitsMax;
    while (end < last) {
      const digit = text.charCodeAt(end) - 48;
      // Also turns away the end of the text, which is NaN.
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
      end++;
    }
    if (end === position) return -1;
    assign(fields, value);
    return end;
  };
}

function signedNumber(digitsMax: number, assign: Assign): Step {
  const unsigned = number(digitsMax, assign);
  const negative = number(digitsMax, (fields, value) => assign(fields, -value));
  return (text, position, fields) => {
    const first = text.charCodeAt(position);
    if (first === 45) return negative(text, position + 1, fields);
    return unsigned(text, first === 43 ? position + 1 : position, fields);
  };
}

function yearStep(width: number, isNumberNext: boolean, options: JodaOptions): Step {
  const assign: Assign = (fields, value) => {
    fields.year = value;
    fields.hasYear = true;
  };
  if (width !== 2) return signedNumber(isNumberNext ? width : YEAR_DIGITS_MAX, assign);
  const pivoted: Assign = (fields, value) => assign(fields, pivotYear(value, options.nowMs()));
  const two = number(2, pivoted);
  const any = signedNumber(YEAR_DIGITS_MAX, assign);
  return (text, position, fields) => {
    const hasTwo = isDigit(text, position) && isDigit(text, position + 1);
    if (isNumberNext) return hasTwo ? two(text, position, fields) : -1;
    return hasTwo && !isDigit(text, position + 2) ? two(text, position, fields) : any(text, position, fields);
  };
}

/** The year with these two last digits within fifty years around thirty years ago. */
function pivotYear(twoDigits: number, nowMs: number): number {
  const low = new Date(nowMs).getUTCFullYear() - PIVOT_BACK_YEARS - 50;
  return low + ((((twoDigits - low) % 100) + 100) % 100);
}

function isDigit(text: string, position: number): boolean {
  const code = text.charCodeAt(position);
  return code >= 48 && code <= 57;
}

/** Up to `digitsMax` digits; kept to the millisecond. */
function fraction(digitsMax: number): Step {
  return (text, position, fields) => {
    let end = position;
    let millis = 0;
    while (end < position + digitsMax && isDigit(text, end)) {
      if (end < position + 3) millis = millis * 10 + text.charCodeAt(end) - 48;
      end++;
    }
    for (let digits = end - position; digits < 3; digits++) millis *= 10;
    fields.millis = millis;
    return end;
  };
}

const offset: Step = (text, position, fields) => {
  const first = text.charCodeAt(position);
  fields.hasOffset = true;
  if (first === 90 || first === 122) {
    fields.offsetMs = 0;
    return position + 1;
  }
  if ((first !== 43 && first !== 45) || !isDigit(text, position + 1) || !isDigit(text, position + 2)) return -1;
  let end = position + 3;
  let minutes = Number(text.slice(position + 1, end)) * 60;
  const start = text.charCodeAt(end) === 58 ? end + 1 : end;
  if (isDigit(text, start) && isDigit(text, start + 1)) {
    minutes += Number(text.slice(start, start + 2));
    end = start + 2;
  }
  fields.offsetMs = (first === 45 ? -minutes : minutes) * 60_000;
  return end;
};

const ZONE_ID = /[A-Za-z0-9_+\-/:]+/y;

const zoneId: Step = (text, position, fields) => {
  const id = new RegExp(ZONE_ID, 'y');
  id.lastIndex = position;
  const name = id.exec(text)?.[0];
  if (name === undefined) return -1;
  try {
    fields.zone = timeZone(name);
  } catch {
    // A text that names no zone is no date of this format: the caller tries the next.
    return -1;
  }
  return position + name.length;
};

function zoneAssign(): Assign {
  const zones = new Map<number, Zone>();
  const ids = Object.values(ZONE_NAMES);
  return (fields, index) => {
    let zone = zones.get(index);
    if (zone === undefined) {
      zone = timeZone(ids[index] ?? 'UTC');
      zones.set(index, zone);
    }
    fields.zone = zone;
  };
}

const ENGLISH_MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const ENGLISH_DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ');

/** English names, written down here: asking the platform first costs tens of milliseconds. */
function englishNames(long: readonly string[], assign: Assign): Step {
  return names([...long, ...long.map((name) => name.slice(0, 3))], (fields, index) =>
    assign(fields, (index % long.length) + 1),
  );
}

function monthName(locale: string): Step {
  if (locale === 'en') return englishNames(ENGLISH_MONTHS, (fields, month) => void (fields.month = month));
  const dates = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2024, index, 15)));
  return localNames(dates, locale, 'month', (fields, index) => void (fields.month = index + 1));
}

function weekdayName(locale: string): Step {
  if (locale === 'en') return englishNames(ENGLISH_DAYS, (fields, day) => void (fields.weekday = day));
  // The first of January 2024 was a Monday.
  const dates = Array.from({ length: 7 }, (_, index) => new Date(Date.UTC(2024, 0, 1 + index)));
  return localNames(dates, locale, 'weekday', (fields, index) => void (fields.weekday = index + 1));
}

function localNames(dates: readonly Date[], locale: string, part: 'month' | 'weekday', assign: Assign): Step {
  const tag = locale.replaceAll('_', '-');
  const styles = ['long', 'short'] as const;
  let formats: readonly Intl.DateTimeFormat[];
  try {
    formats = styles.map((style) => new Intl.DateTimeFormat(tag, { [part]: style, timeZone: 'UTC' }));
  } catch {
    throw new ShoalError('illegal_argument_exception', 400, `no such locale [${locale}]`);
  }
  const all: string[] = [];
  const indexes: number[] = [];
  for (const [index, date] of dates.entries()) {
    for (const format of formats) {
      const name = format.format(date);
      // Logs write names without the point that some languages end short ones with.
      for (const form of new Set([
        name,
        name.replace(/\.$/, ''),
        name.slice(0, tag.startsWith('en') ? 3 : undefined),
      ])) {
        all.push(form);
        indexes.push(index);
      }
    }
  }
  return names(all, (fields, index) => assign(fields, indexes[index] ?? 0));
}

/** The longest of these texts that stands here, in any case. */
function names(all: readonly string[], assign: Assign): Step {
  const byText = new Map<string, number>();
  for (const [index, name] of all.entries()) if (!byText.has(name.toLowerCase())) byText.set(name.toLowerCase(), index);
  const lengths = [...new Set(all.map((name) => name.length))].sort((a, b) => b - a);
  return (text, position, fields) => {
    for (const length of lengths) {
      // At its end the text has fewer characters than the longest name.
      if (position + length > text.length) continue;
      const index = byText.get(text.slice(position, position + length).toLowerCase());
      if (index === undefined) continue;
      assign(fields, index);
      return position + length;
    }
    return -1;
  };
}

function unknownFormat(format: string, why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `invalid date format [${format}]: ${why}`);
}

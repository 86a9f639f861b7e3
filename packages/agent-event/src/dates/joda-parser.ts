/**
 * Date formats in Joda's letters, compiled to steps over character codes: what the `date` filter reads texts with.
 *
 * Numbers are lenient in width unless another number follows at once; texts are read in any case; all of the text must be used.
 */
import { ShoalError } from '@shoal/core';
import { emptyDateFields, instantOf, resetDateFields } from './date-fields.ts';
import { monthName, names, weekdayName } from './joda-names.ts';
import { fraction, number, signedNumber, YEAR_DIGITS_MAX, yearStep } from './joda-numbers.ts';
import type { JodaOptions, Step } from './joda-step.ts';
import { offset, zoneId, zoneName } from './joda-zones.ts';
import type { Zone } from './time-zone.ts';

export interface DateParser {
  /** Milliseconds since 1970; null when the text is no date of this format. */
  parse(text: string, zone: Zone): number | null;
}

interface Token {
  readonly letter: string;
  readonly width: number;
  readonly literal: string;
}

const TOKEN = /([A-Za-z])\1*|'((?:[^']|'')*)'|[^A-Za-z']+/gy;
const NUMERIC = 'CYyxwedDhHkKmsS';
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
      return zoneName();
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

function unknownFormat(format: string, why: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `invalid date format [${format}]: ${why}`);
}

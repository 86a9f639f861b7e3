/**
 * Patterns of `DateTimeFormatter.ofPattern`: letters to parts.
 */
import { illegalArgumentException } from '../values/java-exception.ts';
import { type FormatPart, type NumberPart, numberPart, type OffsetPart, PartList } from './format-parts.ts';
import type { JavaLocale, NameStyle } from './java-locale.ts';
import { chronoField, type JavaField } from './temporal-field.ts';
import { JULIAN_FIELDS, QUARTER_OF_YEAR } from './week-fields.ts';
import { weekFieldsOf } from './week-rules.ts';

/** Characters of a pattern, and widths of fields in it. */
const PATTERN_MAX = 1_000;
const YEARS_BASE = 2000;
const DIGITS_MAX = 19;

const FIELDS: Readonly<Record<string, string>> = {
  ...{ G: 'ERA', u: 'YEAR', y: 'YEAR_OF_ERA', M: 'MONTH_OF_YEAR', L: 'MONTH_OF_YEAR', D: 'DAY_OF_YEAR' },
  ...{ d: 'DAY_OF_MONTH', F: 'ALIGNED_WEEK_OF_MONTH', E: 'DAY_OF_WEEK', a: 'AMPM_OF_DAY', H: 'HOUR_OF_DAY' },
  ...{ k: 'CLOCK_HOUR_OF_DAY', K: 'HOUR_OF_AMPM', h: 'CLOCK_HOUR_OF_AMPM', m: 'MINUTE_OF_HOUR' },
  ...{ s: 'SECOND_OF_MINUTE', S: 'NANO_OF_SECOND', A: 'MILLI_OF_DAY', n: 'NANO_OF_SECOND', N: 'NANO_OF_DAY' },
};

const OFFSETS: readonly (readonly [OffsetPart['hasColon'], OffsetPart['minutes'], OffsetPart['seconds']])[] = [
  [false, 'needed', 'never'],
  [false, 'always', 'never'],
  [true, 'always', 'never'],
  [false, 'always', 'needed'],
  [true, 'always', 'needed'],
];

export function offsetPart(index: number, none: string): OffsetPart {
  const [hasColon, minutes, seconds] = OFFSETS[index] ?? [true, 'always', 'needed'];
  return { kind: 'offset', hasColon, minutes, seconds, none };
}

function tooMany(letter: string): Error {
  return illegalArgumentException(`Too many pattern letters: ${letter}`);
}

function styleOf(letter: string, count: number): NameStyle {
  if (count > 5) throw tooMany(letter);
  return count === 5 ? 'narrow' : count === 4 ? 'long' : 'short';
}

function textPart(field: JavaField, style: NameStyle, names: readonly string[] | null = null): FormatPart {
  return { kind: 'text', field, style, names };
}

const atMost = (letter: string, count: number, max: number): void => {
  if (count > max) throw tooMany(letter);
};

function yearPart(field: JavaField, count: number): NumberPart {
  if (count === 2) return numberPart(field, 2, 2, 'NOT_NEGATIVE', YEARS_BASE);
  return numberPart(field, count, DIGITS_MAX, count < 4 ? 'NORMAL' : 'EXCEEDS_PAD');
}

/** The part of `count` times a letter that is a field of `ChronoField`. */
function fieldPart(letter: string, count: number, field: JavaField): FormatPart {
  switch (letter) {
    case 'u':
    case 'y':
      return yearPart(field, count);
    case 'M':
    case 'L':
      return count > 2 ? textPart(field, styleOf(letter, count)) : plain(letter, count, field);
    case 'E':
    case 'G':
      return textPart(field, styleOf(letter, count));
    case 'a':
      atMost(letter, count, 1);
      return textPart(field, 'short');
    case 'F':
      atMost(letter, count, 1);
      return numberPart(field);
    case 'D':
      atMost(letter, count, 3);
      return count === 1 ? numberPart(field) : numberPart(field, count, 3, 'NOT_NEGATIVE');
    case 'S':
      return { kind: 'fraction', field, min: Math.min(count, 9), max: Math.min(count, 9), hasPoint: false };
    case 'A':
    case 'n':
    case 'N':
      return numberPart(field, count, DIGITS_MAX, 'NOT_NEGATIVE');
    default:
      return plain(letter, count, field);
  }
}

function plain(letter: string, count: number, field: JavaField): NumberPart {
  atMost(letter, count, 2);
  return count === 1 ? numberPart(field) : numberPart(field, 2, 2);
}

/** Letters that are of weeks, quarters, zones and offsets; null: of none. */
function otherPart(letter: string, count: number, locale: JavaLocale): FormatPart | null {
  const weeks = weekFieldsOf(locale);
  switch (letter) {
    case 'Y':
      return yearPart(weeks.weekBasedYear, count);
    case 'w':
      atMost(letter, count, 2);
      return count === 1
        ? numberPart(weeks.weekOfWeekBasedYear, 1, 2, 'NOT_NEGATIVE')
        : numberPart(weeks.weekOfWeekBasedYear, 2, 2);
    case 'W':
      atMost(letter, count, 1);
      return numberPart(weeks.weekOfMonth, 1, 2, 'NOT_NEGATIVE');
    case 'e':
    case 'c':
      if (count > 2) return textPart(chronoField('DAY_OF_WEEK'), styleOf(letter, count));
      if (letter === 'c' && count === 2) throw illegalArgumentException('Invalid pattern "cc"');
      return numberPart(weeks.dayOfWeek, count, 2, 'NOT_NEGATIVE');
    case 'Q':
    case 'q':
      if (count < 3) return plain(letter, count, QUARTER_OF_YEAR);
      return textPart(QUARTER_OF_YEAR, styleOf(letter, count), quarters(count));
    case 'g':
      return numberPart(JULIAN_FIELDS[1] as JavaField, count, DIGITS_MAX, 'NORMAL');
    case 'V':
      if (count !== 2) throw illegalArgumentException(`Pattern letter count must be 2: ${letter}`);
      return { kind: 'zoneId' };
    case 'z':
      atMost(letter, count, 4);
      return { kind: 'zoneText', isFull: count === 4 };
    case 'O':
      if (count !== 1 && count !== 4) throw illegalArgumentException(`Pattern letter count must be 1 or 4: ${letter}`);
      return { kind: 'localizedOffset', isFull: count === 4 };
    case 'X':
      atMost(letter, count, 5);
      return offsetPart(count - 1, 'Z');
    case 'x':
      atMost(letter, count, 5);
      return offsetPart(count - 1, count === 1 ? '+00' : count % 2 === 0 ? '+0000' : '+00:00');
    case 'Z':
      atMost(letter, count, 5);
      if (count === 4) return { kind: 'localizedOffset', isFull: true };
      return count < 4 ? offsetPart(1, '+0000') : offsetPart(4, 'Z');
    default:
      return null;
  }
}

function quarters(count: number): readonly string[] {
  const names = ['1st quarter', '2nd quarter', '3rd quarter', '4th quarter'];
  return names.map((name, i) => (count === 4 ? name : count === 3 ? `Q${i + 1}` : String(i + 1)));
}

/** @throws JavaException `IllegalArgumentException` for a pattern that is none */
export function patternParts(pattern: string, locale: JavaLocale): readonly FormatPart[] {
  if (pattern.length > PATTERN_MAX) throw illegalArgumentException(`Too many pattern letters: ${pattern.charAt(0)}`);
  const stack: PartList[] = [new PartList()];
  const last = (): PartList => stack.at(-1) as PartList;
  let padding = 0;
  const add = (part: FormatPart): void => {
    last().add(padding > 0 ? { kind: 'pad', width: padding, filler: ' ', part } : part);
    padding = 0;
  };
  for (let at = 0; at < pattern.length; ) {
    const char = pattern.charAt(at);
    const run = /^(.)\1*/s.exec(pattern.slice(at))?.[0] ?? char;
    if (/[A-Za-z]/.test(char)) {
      at += run.length;
      if (char === 'p') {
        padding = run.length;
        if (!/^[A-Za-z]/.test(pattern.slice(at))) {
          throw illegalArgumentException(`Pad letter 'p' must be followed by valid pad pattern: ${pattern}`);
        }
        continue;
      }
      const field = FIELDS[char];
      const part =
        field === undefined ? otherPart(char, run.length, locale) : fieldPart(char, run.length, chronoField(field));
      if (part === null) throw illegalArgumentException(`Unknown pattern letter: ${char}`);
      add(part);
    } else if (char === "'") {
      const [whole = '', text = ''] = /^'((?:[^']|'')*)'/.exec(pattern.slice(at)) ?? [];
      if (whole === '') throw illegalArgumentException(`Pattern ends with an incomplete string literal: ${pattern}`);
      add({ kind: 'literal', text: text === '' ? "'" : text.replaceAll("''", "'") });
      at += whole.length;
    } else {
      bracket(char, pattern, stack, add);
      at++;
    }
  }
  while (stack.length > 1) close(stack);
  return last().parts;
}

function bracket(char: string, pattern: string, stack: PartList[], add: (part: FormatPart) => void): void {
  if (char === '[') stack.push(new PartList());
  else if (char === ']') {
    if (stack.length === 1) throw illegalArgumentException('Pattern invalid as it contains ] without previous [');
    close(stack);
  } else if (char === '{' || char === '}' || char === '#') {
    throw illegalArgumentException(`Pattern includes reserved character: '${char}'`);
  } else if (pattern !== '') add({ kind: 'literal', text: char });
}

function close(stack: PartList[]): void {
  const inner = stack.pop();
  if (inner !== undefined && inner.parts.length > 0) stack.at(-1)?.add({ kind: 'optional', parts: inner.parts });
}

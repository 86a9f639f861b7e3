/**
 * `strftime`, and the texts that times print themselves as.
 */
import { DATE, DATE_TIME, type RubyTime, TIME, type TimeFields } from './ruby-time.ts';

export const MONTHS: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
export const WEEKDAYS: readonly string[] = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
];

const DIRECTIVE = /%([-0^#_]*)(\d{1,3})?(:{0,3}[A-Za-z%+])/g;

interface Piece {
  readonly text: string;
  /** Width and what fills it up, where the format does not say. */
  readonly width: number;
  readonly fill: string;
}

export function strftime(time: RubyTime, format: string): string {
  const fields = time.fields();
  return format.replace(DIRECTIVE, (whole, flags: string, width: string | undefined, letter: string) => {
    const composed = COMPOSED_WRITTEN[letter];
    if (composed !== undefined) return padded({ text: strftime(time, composed), width: 0, fill: ' ' }, flags, width);
    if (letter.endsWith('z'))
      return padded({ text: zoneText(time, letter.length - 1), width: 0, fill: '0' }, flags, width);
    if (letter === 'N' || letter === 'L') {
      const digits = String(time.nanosOfSecond).padStart(9, '0');
      return digits.padEnd(Number(width ?? 9), '0').slice(0, Number(width ?? (letter === 'L' ? 3 : 9)));
    }
    const piece = pieceOf(letter, time, fields);
    return piece === null ? whole : padded(piece, flags, width);
  });
}

/** Directives that stand for several, written and read. */
export const COMPOSED: Readonly<Record<string, string>> = {
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  X: '%H:%M:%S',
  D: '%m/%d/%y',
  x: '%m/%d/%y',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  c: '%a %b %e %H:%M:%S %Y',
};

/** Those that are only written. */
const COMPOSED_WRITTEN: Readonly<Record<string, string>> = {
  ...COMPOSED,
  v: '%e-%^b-%Y',
  '+': '%a %b %e %H:%M:%S %Z %Y',
};

function padded({ text, width, fill }: Piece, flags: string, given: string | undefined): string {
  let shown = text;
  if (flags.includes('^')) shown = shown.toUpperCase();
  if (flags.includes('#')) shown = shown === shown.toUpperCase() ? shown.toLowerCase() : shown.toUpperCase();
  if (flags.includes('-')) return shown;
  const filler = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : fill;
  return shown.padStart(given === undefined ? width : Number(given), filler);
}

function pieceOf(letter: string, time: RubyTime, fields: TimeFields): Piece | null {
  const number = (value: number, width: number, fill = '0'): Piece => ({ text: String(value), width, fill });
  const word = (text: string): Piece => ({ text, width: 0, fill: ' ' });
  const { year, month, day, hour, minute, second, weekday, dayOfYear } = fields;
  switch (letter) {
    case 'Y':
      return number(year, 4);
    case 'C':
      return number(Math.floor(year / 100), 2);
    case 'y':
      return number(((year % 100) + 100) % 100, 2);
    case 'm':
      return number(month, 2);
    case 'B':
      return word(MONTHS[month - 1] ?? '');
    case 'b':
    case 'h':
      return word((MONTHS[month - 1] ?? '').slice(0, 3));
    case 'd':
      return number(day, 2);
    case 'e':
      return number(day, 2, ' ');
    case 'j':
      return number(dayOfYear, 3);
    case 'H':
      return number(hour, 2);
    case 'k':
      return number(hour, 2, ' ');
    case 'I':
      return number(hour % 12 || 12, 2);
    case 'l':
      return number(hour % 12 || 12, 2, ' ');
    case 'M':
      return number(minute, 2);
    case 'S':
      return number(second, 2);
    case 'p':
      return word(hour < 12 ? 'AM' : 'PM');
    case 'P':
      return word(hour < 12 ? 'am' : 'pm');
    case 'A':
      return word(WEEKDAYS[weekday] ?? '');
    case 'a':
      return word((WEEKDAYS[weekday] ?? '').slice(0, 3));
    case 'u':
      return number(weekday || 7, 1);
    case 'w':
      return number(weekday, 1);
    case 'Z':
      return word(zoneName(time));
    case 's':
      return number(Math.floor(time.epochMs / 1000), 1);
    case 'Q':
      return number(time.epochMs, 1);
    default:
      return weekPiece(letter, fields, number) ?? signPiece(letter);
  }
}

function signPiece(letter: string): Piece | null {
  const text = { n: '\n', t: '\t', '%': '%' }[letter];
  return text === undefined ? null : { text, width: 0, fill: ' ' };
}

function weekPiece(
  letter: string,
  { year, weekday, dayOfYear }: TimeFields,
  number: (value: number, width: number) => Piece,
): Piece | null {
  if (letter === 'U') return number(Math.floor((dayOfYear + 6 - weekday) / 7), 2);
  if (letter === 'W') return number(Math.floor((dayOfYear + 6 - ((weekday + 6) % 7)) / 7), 2);
  if (letter !== 'G' && letter !== 'V' && letter !== 'g') return null;
  const week = isoWeek(year, dayOfYear, weekday);
  if (letter === 'V') return number(week.week, 2);
  return letter === 'G' ? number(week.year, 4) : number(week.year % 100, 2);
}

/** Weeks begin on Monday; the first one of a year has its first Thursday. */
export function isoWeek(
  year: number,
  dayOfYear: number,
  weekday: number,
): { readonly year: number; readonly week: number } {
  const week = Math.floor((dayOfYear - (weekday || 7) + 10) / 7);
  if (week < 1) return { year: year - 1, week: weeksOf(year - 1) };
  return week > weeksOf(year) ? { year: year + 1, week: 1 } : { year, week };
}

function weeksOf(year: number): number {
  const lastDay = (of: number): number => (of + Math.floor(of / 4) - Math.floor(of / 100) + Math.floor(of / 400)) % 7;
  return lastDay(year) === 4 || lastDay(year - 1) === 3 ? 53 : 52;
}

/** @param colons `+0100`, `+01:00`, `+01:00:00` */
function zoneText(time: RubyTime, colons: number): string {
  const { offset } = time;
  const size = Math.abs(offset);
  const two = (value: number): string => String(value).padStart(2, '0');
  const parts = [two(Math.floor(size / 3600)), two(Math.floor(size / 60) % 60)];
  if (colons === 2) parts.push(two(size % 60));
  return `${offset < 0 ? '-' : '+'}${parts.join(colons > 0 ? ':' : '')}`;
}

export function zoneName(time: RubyTime): string {
  if (time.rubyClass !== TIME) return zoneText(time, 1);
  if (time.zone === 'utc') return 'UTC';
  if (time.zone !== 'local') return '';
  const options = { timeZoneName: 'short' } as const;
  const parts = new Intl.DateTimeFormat('en-US', options).formatToParts(new Date(time.epochMs));
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
}

/** `to_s`. */
export function timeText(time: RubyTime): string {
  if (time.rubyClass === DATE) return strftime(time, '%Y-%m-%d');
  if (time.rubyClass === DATE_TIME) return strftime(time, '%Y-%m-%dT%H:%M:%S%:z');
  return strftime(time, time.zone === 'utc' ? '%Y-%m-%d %H:%M:%S UTC' : '%Y-%m-%d %H:%M:%S %z');
}

/** @param digits of the fraction of a second */
export function iso8601(time: RubyTime, digits: number): string {
  if (time.rubyClass === DATE) return timeText(time);
  const fraction = digits > 0 ? `.${strftime(time, `%${Math.min(digits, 9)}N`)}` : '';
  const zone = time.zone === 'utc' && time.rubyClass === TIME ? 'Z' : zoneText(time, 1);
  return `${strftime(time, '%Y-%m-%dT%H:%M:%S')}${fraction}${zone}`;
}

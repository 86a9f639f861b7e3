/**
 * Times out of texts of many forms, as `Time.parse` reads them: whatever looks like a date, a time of day and a zone.
 */
import { epochOf, type RubyTime, type TimeOffset, timeOf } from '../values/ruby-time.ts';
import { MONTHS } from '../values/time-format.ts';

const MONTH = `(${MONTHS.map((name) => name.slice(0, 3)).join('|')})[a-z]*\\.?`;
const CLOCK = /(?<![\d:])(\d{1,2})(?:h|:(\d{2})(?::(\d{2})(?:[.,](\d+))?)?)\s*([ap]\.?m\.?)?(?![\d])/i;
const ZONE =
  /^\s*(?:(Z|UTC|GMT)\b|(?:UTC|GMT)?([-+]\d{1,2}:?\d{2}(?::?\d{2})?|[-+]\d{1,2})\b|([ECMP][SD]T|CET|CEST|MSK|JST|BST|IST)\b)/i;
const NAMED: Readonly<Record<string, number>> = {
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  CET: 1,
  CEST: 2,
  MSK: 3,
  JST: 9,
  BST: 1,
  IST: 5.5,
};

interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Seconds east of Greenwich, or `utc`. */
export function parseOffset(text: string): TimeOffset | null {
  if (/^(?:Z|UTC|GMT)$/i.test(text)) return 'utc';
  const found = /^([-+])(\d{1,2}):?(\d{2})?(?::?(\d{2}))?$/.exec(text);
  if (found === null) return null;
  const size = Number(found[2]) * 3600 + Number(found[3] ?? 0) * 60 + Number(found[4] ?? 0);
  return found[1] === '-' ? -size : size;
}

/** What a text does not say, and what it may say. */
export interface TimeTextReading {
  readonly today: RubyTime;
  readonly zone: TimeOffset;
  /** A day that its month does not have is none; else it is one of the next month. */
  readonly hasRealDays: boolean;
}

export function parseTimeText(text: string, { today, zone, hasRealDays }: TimeTextReading): RubyTime | null {
  const compact =
    /^\s*(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?(?:\.(\d+))?)?\s*(Z|[-+]\d{2}:?\d{2})?\s*$/i.exec(text);
  if (compact !== null) return ofCompact(compact, zone, hasRealDays);
  const spaced = text.replace(/(\d)[Tt](\d)/, '$1 $2').replace(/(\d{4}):(\d{2}:\d{2})/, '$1 $2');
  const clock = CLOCK.exec(spaced);
  const dateText =
    clock === null ? spaced : `${spaced.slice(0, clock.index)} ${spaced.slice(clock.index + clock[0].length)}`;
  const date = parseDate(dateText, today);
  if (clock === null && date === null) return null;
  const { year, month, day } = date ?? today.fields();
  const seconds = clock === null ? { hour: 0, minute: 0, second: 0 } : clockOf(clock);
  if (!isDay({ year, month, day }, hasRealDays) || seconds.hour > 24 || seconds.minute > 59 || seconds.second > 60)
    return null;
  const rest = clock === null ? '' : spaced.slice(clock.index + clock[0].length);
  const nanos = clock?.[4] === undefined ? 0 : Number(clock[4].padEnd(9, '0').slice(0, 9));
  return timeOf({ year, month, day, ...seconds }, nanos, zoneIn(rest) ?? zone);
}

function isDay(date: CivilDate, isReal: boolean): boolean {
  const { month, day } = date;
  if (month < 1 || month > 12 || day < 1 || day > 31) return false;
  return !isReal || new Date(epochOf(date)).getUTCDate() === day;
}

function ofCompact(found: RegExpExecArray, zone: TimeOffset, hasRealDays: boolean): RubyTime | null {
  const [, year, month, day, hour, minute, second, fraction, offset] = found;
  if (!isDay({ year: Number(year), month: Number(month), day: Number(day) }, hasRealDays)) return null;
  const civil = {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
  };
  const nanos = fraction === undefined ? 0 : Number(fraction.padEnd(9, '0').slice(0, 9));
  return timeOf(civil, nanos, offset === undefined ? zone : (parseOffset(offset) ?? zone));
}

function clockOf(found: RegExpExecArray): { hour: number; minute: number; second: number } {
  let hour = Number(found[1]);
  const half = found[5]?.toLowerCase();
  if (half?.startsWith('p') && hour < 12) hour += 12;
  if (half?.startsWith('a') && hour === 12) hour = 0;
  return { hour, minute: Number(found[2] ?? 0), second: Number(found[3] ?? 0) };
}

function zoneIn(rest: string): TimeOffset | null {
  const found = ZONE.exec(rest);
  if (found === null) return null;
  if (found[1] !== undefined) return 'utc';
  if (found[2] !== undefined) return parseOffset(found[2]);
  return (NAMED[(found[3] ?? '').toUpperCase()] ?? 0) * 3600;
}

function parseDate(text: string, today: RubyTime): CivilDate | null {
  const iso = /(?<!\d)(-?\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?!\d)/.exec(text);
  if (iso !== null) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3] ?? 1) };
  const dayFirst = new RegExp(`(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)?[-/ ,.]*${MONTH}[-/ ,.']*(-?\\d+)?`, 'i').exec(text);
  if (dayFirst !== null)
    return { year: yearOf(dayFirst[3], today), month: monthOf(dayFirst[2]), day: Number(dayFirst[1]) };
  const monthFirst = new RegExp(`\\b${MONTH}[-/ ,.]*(\\d{1,2})(?:st|nd|rd|th)?\\b(?:[-/ ,.']+(\\d+))?`, 'i').exec(text);
  if (monthFirst !== null)
    return { year: yearOf(monthFirst[3], today), month: monthOf(monthFirst[1]), day: Number(monthFirst[2]) };
  const dayMonthYear = /(?<!\d)(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?!\d)/.exec(text);
  if (dayMonthYear !== null)
    return { year: Number(dayMonthYear[3]), month: Number(dayMonthYear[2]), day: Number(dayMonthYear[1]) };
  const short = /(?<!\d)(\d{2})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(text);
  if (short !== null) return { year: yearOf(short[1], today), month: Number(short[2]), day: Number(short[3]) };
  return null;
}

function monthOf(name: string | undefined): number {
  return MONTHS.findIndex((one) => one.slice(0, 3).toLowerCase() === (name ?? '').slice(0, 3).toLowerCase()) + 1;
}

/** Two digits: 69 to 99 are of the last century. */
function yearOf(digits: string | undefined, today: RubyTime): number {
  if (digits === undefined) return today.fields().year;
  const year = Number(digits);
  return digits.length > 2 ? year : year + (year >= 69 ? 1900 : 2000);
}

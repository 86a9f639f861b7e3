/**
 * Schedules of snapshot policies: a cron expression of Elasticsearch's kind, `second minute hour day-of-month month day-of-week [year]` in UTC,
 * or an interval such as `30m`. Pure.
 *
 * Days of the week are 1 (Sunday) to 7. Exactly one of the two days is `?`. `W`, `#` and a weekday with `L` are not understood and refused.
 */
import { illegalArgument, type ShoalError } from '@shoal/core';
import { parseDurationMs } from './setting-values.ts';

/** First time of a schedule after `afterMs`; null: there is none within the next years. */
export type Schedule = (afterMs: number, startMs: number) => number | null;

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const MONTHS: readonly string[] = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const WEEKDAYS: readonly string[] = 'SUN MON TUE WED THU FRI SAT'.split(' ');
const FIELDS: readonly Field[] = [
  { name: 'seconds', min: 0, max: 59, names: [] },
  { name: 'minutes', min: 0, max: 59, names: [] },
  { name: 'hours', min: 0, max: 23, names: [] },
  { name: 'day of month', min: 1, max: 31, names: [] },
  { name: 'month', min: 1, max: 12, names: MONTHS },
  { name: 'day of week', min: 1, max: 7, names: WEEKDAYS },
  { name: 'year', min: 1970, max: 2199, names: [] },
];
const DAY_MS = 86_400_000;
/** Days that are looked at: a leap day comes back after eight years at most. */
const DAYS_MAX = 366 * 9;
/** Shortest interval. */
const INTERVAL_MS_MIN = 60_000;

/** @throws illegal_argument_exception for what is neither a cron expression nor an interval */
export function parseSchedule(text: string): Schedule {
  const intervalMs = /\s/.test(text.trim()) ? null : parseDurationMs(text.trim());
  if (intervalMs !== null) {
    if (intervalMs < INTERVAL_MS_MIN)
      throw illegalArgument(`invalid schedule [${text}]: time unit is too short, at least 1m`);
    return (afterMs, startMs) => {
      const passed = Math.floor(Math.max(afterMs - startMs, 0) / intervalMs);
      return startMs + (passed + 1) * intervalMs;
    };
  }
  const cron = parseCron(text);
  return (afterMs) => nextTime(cron, afterMs);
}

interface Cron {
  readonly seconds: readonly number[];
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly isDay: (day: Date) => boolean;
}

function parseCron(text: string): Cron {
  const refuse = (why: string): ShoalError =>
    illegalArgument(`invalid schedule [${text}]: must be a valid cron expression or time unit: ${why}`);
  const parts = text.trim().toUpperCase().split(/\s+/);
  if (parts.length < 6 || parts.length > 7)
    throw refuse(`six or seven fields are wanted, and there are ${parts.length}`);
  const [, , , dayOfMonth = '', , dayOfWeek = ''] = parts;
  if ((dayOfMonth === '?') === (dayOfWeek === '?'))
    throw refuse('exactly one of day of month and day of week must be [?]');
  const values = FIELDS.map((field, i) => valuesOf(parts[i] ?? '*', field, refuse));
  const [seconds = [], minutes = [], hours = [], days = [], months = [], weekdays = [], years = []] = values;
  const isLast = dayOfMonth === 'L';
  const isDay = (day: Date): boolean => {
    if (!years.includes(day.getUTCFullYear()) || !months.includes(day.getUTCMonth() + 1)) return false;
    if (dayOfMonth === '?') return weekdays.includes(day.getUTCDay() + 1);
    return isLast ? new Date(day.getTime() + DAY_MS).getUTCDate() === 1 : days.includes(day.getUTCDate());
  };
  return { seconds, minutes, hours, isDay };
}

/** Values that a field allows, in order; empty for `?` and for the last day of the month. */
function valuesOf(text: string, field: Field, refuse: (why: string) => ShoalError): readonly number[] {
  const isDay = field.name.startsWith('day');
  if (isDay && text === '?') return [];
  if (field.name === 'day of month' && text === 'L') return [];
  const values = new Set<number>();
  for (const part of text.split(',')) for (const value of valuesOfPart(part, field, refuse)) values.add(value);
  return [...values].sort((a, b) => a - b);
}

function valuesOfPart(part: string, field: Field, refuse: (why: string) => ShoalError): readonly number[] {
  const [, range = '', step] = /^([^/]+)(?:\/(\d{1,4}))?$/.exec(part) ?? [];
  const [first = '', last] = range === '*' ? [String(field.min), String(field.max)] : range.split('-');
  const numberOf = (word: string): number => {
    const named = field.names.indexOf(word);
    const value = named >= 0 ? named + field.min : /^\d{1,4}$/.test(word) ? Number(word) : Number.NaN;
    if (value >= field.min && value <= field.max) return value;
    throw refuse(`[${part}] is nothing that ${field.name} can be`);
  };
  const from = numberOf(first);
  const to = last === undefined ? (step === undefined ? from : field.max) : numberOf(last);
  const by = step === undefined ? 1 : Number(step);
  if (by < 1) throw refuse(`[${part}] has a step of nothing`);
  // A range that ends before it begins goes over the end of its field.
  const count = to >= from ? to - from : field.max - field.min + 1 - (from - to);
  return Array.from({ length: Math.floor(count / by) + 1 }, (_, i) => {
    const value = from + i * by;
    return value > field.max ? value - (field.max - field.min + 1) : value;
  });
}

function nextTime({ seconds, minutes, hours, isDay }: Cron, afterMs: number): number | null {
  const fromMs = (Math.floor(afterMs / 1_000) + 1) * 1_000;
  const firstDayMs = Math.floor(fromMs / DAY_MS) * DAY_MS;
  for (let i = 0; i < DAYS_MAX; i++) {
    const dayMs = firstDayMs + i * DAY_MS;
    if (!isDay(new Date(dayMs))) continue;
    const time = firstTimeOfDay({ hours, minutes, seconds }, Math.max(fromMs - dayMs, 0) / 1_000);
    if (time !== null) return dayMs + time * 1_000;
  }
  return null;
}

/** Second of the day of the first time not before `from`; null: the day has none. */
function firstTimeOfDay({ hours, minutes, seconds }: Omit<Cron, 'isDay'>, from: number): number | null {
  for (const hour of hours) {
    if ((hour + 1) * 3_600 <= from) continue;
    for (const minute of minutes) {
      if (hour * 3_600 + (minute + 1) * 60 <= from) continue;
      const second = seconds.find((value) => hour * 3_600 + minute * 60 + value >= from);
      if (second !== undefined) return hour * 3_600 + minute * 60 + second;
    }
  }
  return null;
}

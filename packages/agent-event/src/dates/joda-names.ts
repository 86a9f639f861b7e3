/**
 * Names in a date: months and weekdays in any language, halves of the day, eras.
 */
import { ShoalError } from '@shoal/core';
import type { Assign, Step } from './joda-step.ts';

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

export function monthName(locale: string): Step {
  if (locale === 'en') return englishNames(ENGLISH_MONTHS, (fields, month) => void (fields.month = month));
  const dates = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2024, index, 15)));
  return localNames(dates, locale, 'month', (fields, index) => void (fields.month = index + 1));
}

export function weekdayName(locale: string): Step {
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

/** Reads the longest of these texts, in any case; `assign` gets its index. */
export function names(all: readonly string[], assign: Assign): Step {
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

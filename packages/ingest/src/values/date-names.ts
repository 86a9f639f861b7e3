/**
 * Names of months and days in other languages, put into English, in which dates are read.
 */
import { illegalArgument } from '@shoal/core';

const ENGLISH_TAG = /^en(?:-|$)/;
const MONTHS = 12;
const DAYS = 7;

/** null: the language is English, whose names need no change. @throws illegal_argument_exception for what is no language */
export function englishNames(locale: string): ((text: string) => string) | null {
  const tag = locale.replaceAll('_', '-');
  if (tag === '' || tag.toLowerCase() === 'root' || ENGLISH_TAG.test(tag.toLowerCase())) return null;
  const names = new Map([...namesOf(tag, 'month', monthDates()), ...namesOf(tag, 'weekday', dayDates())]);
  // The longest first: the short form of a name is often the beginning of the long one.
  const known = [...names.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const pattern = new RegExp(`(?<!\\p{L})(?:${known.join('|')})(?!\\p{L})`, 'giu');
  return (text) => text.replace(pattern, (found) => names.get(found.toLowerCase()) ?? found);
}

function namesOf(tag: string, part: 'month' | 'weekday', dates: readonly Date[]): (readonly [string, string])[] {
  return (['long', 'short'] as const).flatMap((style) => {
    const english = new Intl.DateTimeFormat('en', { [part]: style, timeZone: 'UTC' });
    const inSentence = localFormat(tag, part === 'month' ? { month: style, day: 'numeric' } : { weekday: style });
    const alone = localFormat(tag, { [part]: style });
    return dates.flatMap((date) => {
      const name = english.format(date);
      const forms = [alone.format(date), partOf(inSentence, date, part)];
      return forms.map((form) => [form.toLowerCase(), name] as const);
    });
  });
}

function localFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' });
  } catch {
    // The platform refuses what is no language tag.
    throw illegalArgument(`Unknown language: ${tag}`);
  }
}

/** Some languages bend the name of a month that a day stands before. */
function partOf(format: Intl.DateTimeFormat, date: Date, part: 'month' | 'weekday'): string {
  return format.formatToParts(date).find(({ type }) => type === part)?.value ?? '';
}

function monthDates(): readonly Date[] {
  return Array.from({ length: MONTHS }, (_, month) => new Date(Date.UTC(2024, month, 15)));
}

/** The first of January 2024 was a Monday. */
function dayDates(): readonly Date[] {
  return Array.from({ length: DAYS }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/**
 * Names of zones in English: `CEST`, `Central European Summer Time`.
 */
import { JavaOffset, type JavaZone } from './time-zones.ts';

/** Locales that are asked for a short name, as each knows those of its part of the world. */
const LOCALES = ['en-US', 'en-GB', 'en-AU', 'ja-JP', 'en-IN', 'en-ZA'];
const FORMATS_MAX = 200;
const FORMATS = new Map<string, Intl.DateTimeFormat>();

function format(
  locale: string,
  zone: string,
  style: 'short' | 'long' | 'shortGeneric' | 'longGeneric',
): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${style}`;
  let found = FORMATS.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: style });
    if (FORMATS.size >= FORMATS_MAX) FORMATS.clear();
    FORMATS.set(key, found);
  }
  return found;
}

/** @param instant the moment whose name is asked for; null: that of no season */
export function zoneName(
  zone: JavaZone,
  instant: readonly [seconds: number, nano: number] | null,
  isFull: boolean,
): string {
  if (zone instanceof JavaOffset) return zone.id;
  if (/^(?:UTC|GMT|UT)/.test(zone.id)) return isFull && zone.id === 'UTC' ? 'Coordinated Universal Time' : zone.id;
  const style = isFull ? (instant === null ? 'longGeneric' : 'long') : 'short';
  // Without a moment the name is that of the winter, which short names have no other of.
  const ms = instant === null ? WINTER_MS : instant[0] * 1_000;
  for (const locale of isFull ? ['en-US'] : LOCALES) {
    const parts = format(locale, zone.id, style).formatToParts(ms);
    const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
    if (isFull || /^[A-Z]{2,5}$/.test(name)) return name;
  }
  return zone.id;
}

/** 2024-01-01. */
const WINTER_MS = 1_704_067_200_000;

/** Zones that their short names stand for in dates that are read. */
export const ZONES_BY_NAME: Readonly<Record<string, string>> = {
  ...{ EST: 'America/New_York', EDT: 'America/New_York', CST: 'America/Chicago', CDT: 'America/Chicago' },
  ...{ MST: 'America/Denver', MDT: 'America/Denver', PST: 'America/Los_Angeles', PDT: 'America/Los_Angeles' },
  ...{ CET: 'Europe/Paris', CEST: 'Europe/Paris', BST: 'Europe/London', JST: 'Asia/Tokyo', IST: 'Asia/Kolkata' },
};

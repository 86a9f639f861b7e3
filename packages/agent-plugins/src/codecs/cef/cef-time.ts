/**
 * Times of the Common Event Format: milliseconds since 1970, or `Jun 17 2027 17:57:06.456 +02:00`, where year, fraction
 * and zone may be missing. Pure.
 */
import { AMERICAN_ZONES, hostZone, Timestamp, timeZone, type Zone } from '@shoal/agent-event';
import { ShoalError } from '@shoal/core';

const EPOCH = /^([1-9]\d{0,15})(?:\.(\d{1,20}))?$/;
const TEXT =
  /^(\p{L}+\.?) (\d\d)(?: (\d{4}))? (\d\d):(\d\d):(\d\d)(?:\.(\d{9}|\d{6}|\d{3}))?(?: ([A-Za-z0-9_+\-/:]+))?$/u;
const DAY_MS = 86_400_000;
/** How far ahead of the clock a time without a year may be. */
const AHEAD_MS = 2 * DAY_MS;
/** Short names that zones have no other id for. */
const ZONE_NAMES: Readonly<Record<string, string>> = {
  ...AMERICAN_ZONES,
  CET: 'Europe/Paris',
  CEST: 'Europe/Paris',
};

export interface CefTimeRules {
  /** Months by their names, in lower case and without a dot: 0 is January. */
  readonly months: ReadonlyMap<string, number>;
  /** Zone of times that say none and whose device says none. */
  readonly zone: Zone;
}

/** @throws ShoalError for a locale or zone that is none */
export function cefTimeRules(locale: string | null, zoneName: string | null): CefTimeRules {
  return {
    months: monthsOf(locale === null ? [] : [locale.replaceAll('_', '-')]),
    zone: zoneName === null ? hostZone() : timeZone(zoneName),
  };
}

function monthsOf(locales: readonly string[]): ReadonlyMap<string, number> {
  const months = new Map<string, number>();
  for (const locale of [...locales, 'en']) {
    for (const style of ['long', 'short'] as const) {
      const format = monthFormat(locale, style);
      for (let month = 0; month < 12; month++) {
        const name = plainName(format.format(Date.UTC(2024, month, 15)));
        if (!months.has(name)) months.set(name, month);
      }
    }
  }
  return months;
}

function monthFormat(locale: string, month: 'long' | 'short'): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { month, timeZone: 'UTC' });
  } catch {
    throw new ShoalError('illegal_argument_exception', 400, `no such locale [${locale}]`);
  }
}

function plainName(name: string): string {
  return name.replace(/\.$/, '').toLowerCase();
}

/**
 * @param deviceZone id of the zone that the sender says its times are in; null when it says none
 * @throws ShoalError for what is no time
 */
export function readCefTime(text: string, deviceZone: string | null, rules: CefTimeRules, nowMs: number): Timestamp {
  const epoch = EPOCH.exec(text);
  if (epoch !== null) return new Timestamp(Number(epoch[1]), Number((epoch[2] ?? '').padEnd(6, '0').slice(0, 6)));
  const parts = TEXT.exec(text);
  const month = rules.months.get(plainName(parts?.[1] ?? ''));
  if (parts === null || month === undefined) throw noTime(text);
  const [, , day, year, hour, minute, second, fraction = '', zoneName] = parts;
  const zone = zoneName !== undefined ? zoneNamed(zoneName) : deviceZone !== null ? timeZone(deviceZone) : rules.zone;
  const clock: Clock = { hour: Number(hour), minute: Number(minute), second: Number(second) };
  if (clock.hour > 23 || clock.minute > 59 || clock.second > 59) throw noTime(text);
  const at = (candidate: number): number => instantOf({ year: candidate, month, day: Number(day) }, clock, zone);
  // Only a day of a known year is cut to the month's last.
  const dayMax = year === undefined ? daysIn(LEAP_YEAR, month) : 31;
  if (Number(day) < 1 || Number(day) > dayMax) throw noTime(text);
  const startMs = year === undefined ? nearestYear(at, zone, nowMs) : at(Number(year));
  const digits = fraction.padEnd(9, '0');
  return new Timestamp(startMs + Number(digits.slice(0, 3)), Number(digits.slice(3)));
}

const LEAP_YEAR = 2024;

interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
}

/** The year that makes it lie in the past, or at most two days ahead. */
function nearestYear(at: (year: number) => number, zone: Zone, nowMs: number): number {
  const now = new Date(nowMs + zone.offsetAt(nowMs));
  const year = now.getUTCFullYear();
  const latest = nowMs + AHEAD_MS;
  const thisYear = at(year);
  if (thisYear > latest) return at(year - 1);
  if (now.getUTCMonth() === 11 && at(year + 1) <= latest) return at(year + 1);
  return thisYear;
}

/** A day that its month does not have is the month's last; a time that a change of the clock leaves out is moved behind it. */
function instantOf({ year, month, day }: Day, clock: Clock, zone: Zone): number {
  const local = Date.UTC(year, month, Math.min(day, daysIn(year, month)), clock.hour, clock.minute, clock.second);
  return zone.instantOf(local) ?? local - zone.offsetAt(local - DAY_MS);
}

function zoneNamed(name: string): Zone {
  return timeZone(ZONE_NAMES[name] ?? name);
}

function noTime(text: string): ShoalError {
  return new ShoalError('illegal_argument_exception', 400, `[${text.slice(0, 100)}] is no time of CEF`);
}

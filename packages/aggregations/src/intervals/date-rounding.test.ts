import { timeZone } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CalendarUnit, DateInterval } from './date-interval.ts';
import { DateRounding } from './date-rounding.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ZONES = [
  'UTC',
  '+05:45',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'America/Havana',
];

/** Where the wall clock's range begins, read off its digits. */
function wallStart(local: number, step: CalendarUnit | number): number {
  const date = new Date(local);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (step) {
    case 'year':
      return Date.UTC(year, 0);
    case 'quarter':
      return Date.UTC(year, month - (month % 3));
    case 'month':
      return Date.UTC(year, month);
    case 'week':
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7));
    case 'day':
      return Date.UTC(year, month, day);
    case 'hour':
      return local - (((local % HOUR_MS) + HOUR_MS) % HOUR_MS);
    case 'minute':
      return local - (((local % MINUTE_MS) + MINUTE_MS) % MINUTE_MS);
    case 'second':
      return local - (((local % 1_000) + 1_000) % 1_000);
    default:
      return Math.floor(local / step) * step;
  }
}

const isLong = (step: CalendarUnit | number): boolean =>
  typeof step === 'string' && ['year', 'quarter', 'month', 'week', 'day'].includes(step);

/** Goes back a minute at a time until the wall clock shows another range, or the start of this one. */
function naiveRound(ms: number, { step, timeZone: zoneName }: DateInterval): number {
  const zone = timeZone(zoneName);
  const localOf = (at: number): number => at + zone.offsetMinutes(at) * MINUTE_MS;
  let at = Math.floor(ms / MINUTE_MS) * MINUTE_MS;
  for (;;) {
    const start = wallStart(localOf(at), step);
    if (!isLong(step) && localOf(at) === start) return at;
    if (wallStart(localOf(at - MINUTE_MS), step) !== start) return at;
    at -= MINUTE_MS;
  }
}

/** Near the clock changes of 2017 and 2018, and anywhere else. */
const instant = fc.oneof(
  fc.integer({ min: Date.UTC(2017, 0), max: Date.UTC(2019, 0) }),
  fc
    .constantFrom(
      Date.UTC(2018, 2, 25, 1),
      Date.UTC(2018, 9, 28, 1),
      Date.UTC(2018, 2, 11, 7),
      Date.UTC(2018, 10, 4, 6),
      Date.UTC(2018, 1, 18, 2),
      Date.UTC(2018, 10, 4, 3),
      Date.UTC(2018, 3, 1, 4),
      Date.UTC(2018, 2, 31, 15),
      Date.UTC(2018, 9, 6, 15, 30),
    )
    .chain((ms) => fc.integer({ min: -30 * HOUR_MS, max: 30 * HOUR_MS }).map((d) => ms + d)),
);

describe('DateRounding', () => {
  test.each(ZONES)('finds the start of the range as one finds it by going back: %s', (name) => {
    const step = fc.constantFrom<CalendarUnit | number>(
      'minute',
      'hour',
      'day',
      'week',
      10 * MINUTE_MS,
      30 * MINUTE_MS,
      HOUR_MS,
      3 * HOUR_MS,
      12 * HOUR_MS,
    );
    fc.assert(
      fc.property(instant, step, (ms, chosen) => {
        const interval: DateInterval = { step: chosen, timeZone: name, offsetMs: 0 };
        const found = new DateRounding(interval).round(ms);
        expect(new Date(found).toISOString()).toBe(new Date(naiveRound(ms, interval)).toISOString());
      }),
      { numRuns: 150 },
    );
  });

  test.each(ZONES)('has ranges without gaps and overlaps: %s', (name) => {
    const step = fc.constantFrom<CalendarUnit | number>(
      'hour',
      'day',
      'week',
      'month',
      'quarter',
      'year',
      DAY_MS,
      30 * DAY_MS,
      90 * DAY_MS,
      36 * HOUR_MS,
      5_000,
    );
    fc.assert(
      fc.property(instant, step, fc.constantFrom(0, 6 * HOUR_MS, -HOUR_MS), (ms, chosen, offsetMs) => {
        const rounding = new DateRounding({ step: chosen, timeZone: name, offsetMs });
        const start = rounding.round(ms);
        const next = rounding.next(start);
        expect(start).toBeLessThanOrEqual(ms);
        expect(next).toBeGreaterThan(ms);
        expect(rounding.round(start)).toBe(start);
        expect(rounding.round(next)).toBe(next);
        expect(rounding.round(next - 1)).toBe(start);
      }),
      { numRuns: 150 },
    );
  });

  test('a range that the clock change makes longer is followed by the next one, whatever change comes behind it', () => {
    const rounding = new DateRounding({ step: 90 * DAY_MS, timeZone: 'America/New_York', offsetMs: 0 });
    const autumn = rounding.round(Date.parse('2020-12-20T00:00:00Z'));
    expect(new Date(autumn).toISOString()).toBe('2020-10-05T04:00:00.000Z');
    expect(new Date(rounding.next(autumn)).toISOString()).toBe('2021-01-03T05:00:00.000Z');
  });

  test('a day that begins after midnight begins at the clock change', () => {
    const rounding = new DateRounding({ step: 'day', timeZone: 'America/Sao_Paulo', offsetMs: 0 });
    // On 4 November 2018 clocks went from 00:00 to 01:00.
    expect(new Date(rounding.round(Date.UTC(2018, 10, 4, 12))).toISOString()).toBe('2018-11-04T03:00:00.000Z');
  });

  test('reaches years before 100 and before 1970', () => {
    const rounding = new DateRounding({ step: 'year', timeZone: 'UTC', offsetMs: 0 });
    const old = new Date(0);
    old.setUTCFullYear(47, 5, 9);
    expect(new Date(rounding.round(old.getTime())).toISOString()).toBe('0047-01-01T00:00:00.000Z');
    expect(new Date(rounding.round(-1)).toISOString()).toBe('1969-01-01T00:00:00.000Z');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeZone } from './time-zone.ts';

const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;

/** Formats by zone: they are slow to make. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** What the platform says at the start of the quarter of an hour. */
function askedOffset(name: string, ms: number): number {
  const format = formats.get(name) ?? new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  formats.set(name, format);
  const text = format
    .formatToParts(Math.floor(ms / QUARTER_MS) * QUARTER_MS)
    .find(({ type }) => type === 'timeZoneName');
  const match = /^GMT([+-])(\d\d):(\d\d)$/.exec(text?.value ?? '');
  return match === null ? 0 : (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
}

/** Zones with a change of 24 hours, of 30 minutes, at midnight, and clocks that were turned twice within a week. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Casablanca',
  'America/Sao_Paulo',
  'America/Recife',
  'Asia/Kathmandu',
  'Asia/Gaza',
];

describe('the offset of a zone', () => {
  test.each(ZONES)('is what the platform says of each instant, in any order: %s', (name) => {
    const instant = fc.integer({ min: Date.UTC(1920, 0), max: Date.UTC(2050, 0) });
    fc.assert(
      fc.property(
        instant,
        fc.array(fc.integer({ min: -3 * DAY_MS, max: 3 * DAY_MS }), { maxLength: 4 }),
        (ms, steps) => {
          for (const at of [ms, ...steps.map((step) => ms + step)]) {
            expect(timeZone(name).offsetMinutes(at)).toBe(askedOffset(name, at));
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  test.each([
    ['America/Recife', Date.UTC(2000, 9, 5), 14],
    ['Pacific/Apia', Date.UTC(2011, 11, 27), 7],
    ['Europe/Berlin', Date.UTC(2024, 2, 28), 7],
    ['Africa/Casablanca', Date.UTC(2024, 2, 8), 40],
  ])('changes in the very quarter of an hour: %s', (name, from, days) => {
    const offsets: number[] = [];
    for (let ms = from; ms < from + days * DAY_MS; ms += QUARTER_MS) {
      const offset = timeZone(name).offsetMinutes(ms);
      expect(timeZone(name).offsetMinutes(ms + QUARTER_MS - 1)).toBe(offset);
      expect(`${ms} ${offset}`).toBe(`${ms} ${askedOffset(name, ms)}`);
      offsets.push(offset);
    }
    expect(new Set(offsets).size).toBeGreaterThan(1);
  });

  test('is known of instants that no calendar reaches', () => {
    for (const ms of [1e300, Number.POSITIVE_INFINITY, 8.64e15 + 1])
      expect(timeZone('Asia/Kathmandu').offsetMinutes(ms)).toBe(345);
  });

  test('is found in more zones than are remembered, and again in the first', () => {
    const names = Intl.supportedValuesOf('timeZone');
    const ms = Date.UTC(2024, 6, 1);
    for (const name of [...names, ...names.slice(0, 10)]) {
      const zone = timeZone(name);
      expect(zone.name).toBe(name);
      expect(zone.offsetMinutes(ms)).toBe(askedOffset(name, ms));
    }
  });

  test('of a name that is no zone is refused each time', () => {
    for (let i = 0; i < 2; i++) expect(() => timeZone('Mars/Base')).toThrow('Unknown time-zone ID: Mars/Base');
  });
});

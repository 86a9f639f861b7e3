import { expect, test } from 'vitest';
import { cefTimeRules, readCefTime } from './cef-time.ts';

const rules = cefTimeRules('de_DE', 'UTC');
const NOW = Date.UTC(2026, 11, 31, 23, 0, 0);
const at = (text: string, zone: string | null = null, now = NOW) => readCefTime(text, zone, rules, now).toString();

test.each([
  ['1500464384997', '2017-07-19T11:39:44.997Z'],
  ['1500464384997.123456', '2017-07-19T11:39:44.997123456Z'],
  ['Jun 17 2027 17:57:06', '2027-06-17T17:57:06.000Z'],
  ['Jun 17 2027 17:57:06.456 -07:00', '2027-06-18T00:57:06.456Z'],
  ['Jun 17 2027 17:57:06.456789 PDT', '2027-06-18T00:57:06.456789Z'],
  ['Jun 17 2027 17:57:06.456789123 Europe/Oslo', '2027-06-17T15:57:06.456789123Z'],
  ['März 17 2019 17:57:06.456 +01:00', '2019-03-17T16:57:06.456Z'],
  ['Feb 30 2026 00:00:00', '2026-02-28T00:00:00.000Z'],
])('%s is %s', (text, expected) => {
  expect(at(text)).toBe(expected);
});

test('the zone of the device counts where the time says none', () => {
  expect(at('Jun 17 2027 17:57:06', 'America/New_York')).toBe('2027-06-17T21:57:06.000Z');
  expect(at('Mar 08 2026 02:30:00', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z');
});

test.each([
  ['Jan 01 00:30:00', NOW, 2027],
  ['Jan 17 00:30:00', NOW, 2026],
  ['Dec 31 22:00:00', NOW, 2026],
  ['Jul 01 00:00:00', Date.UTC(2026, 0, 5), 2025],
  ['Jan 06 00:00:00', Date.UTC(2026, 0, 5), 2026],
])('%s lies in the past or at most two days ahead', (text, now, year) => {
  expect(at(text, null, now).slice(0, 4)).toBe(String(year));
});

test.each([
  '',
  'yesterday',
  'Foo 01 2026 00:00:00',
  'Jun 1 2026 00:00:00',
  'Jun 01 2026 24:00:00',
  'Feb 30 00:00:00',
  'Jun 01 2026 00:00:00 Nowhere',
])('%j is no time', (text) => {
  expect(() => at(text)).toThrow();
});

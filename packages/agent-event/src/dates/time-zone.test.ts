import { expect, test, vi } from 'vitest';
import { hostZone, timeZone } from './time-zone.ts';

const SUMMER = Date.UTC(2026, 6, 1);
const HOUR = 3_600_000;

test('a zone is made once, and has the offset of its name', () => {
  expect(timeZone('Europe/Oslo')).toBe(timeZone('Europe/Oslo'));
  expect(timeZone('Europe/Oslo').offsetAt(SUMMER)).toBe(2 * HOUR);
  expect(timeZone('+03:30').offsetAt(SUMMER)).toBe(3.5 * HOUR);
});

test('a name that is no zone is refused each time', () => {
  for (let i = 0; i < 2; i++) expect(() => timeZone('Nowhere/City')).toThrow('no such time zone [Nowhere/City]');
});

test('the zone of the machine is that of its clock, looked up when a time in it is first read', () => {
  const format = vi.spyOn(Intl, 'DateTimeFormat');
  const zone = hostZone();
  expect(format).not.toHaveBeenCalled();
  format.mockRestore();
  expect(zone.offsetAt(SUMMER)).toBe(0 - new Date(SUMMER).getTimezoneOffset() * 60_000);
  expect(zone.instantOf(SUMMER)).toBe(SUMMER + new Date(SUMMER).getTimezoneOffset() * 60_000);
});

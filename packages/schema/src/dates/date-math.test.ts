import { describe, expect, test } from 'vitest';
import { dateFormatter } from './date-formats.ts';
import { parseDateMath } from './date-math.ts';
import { timeZone } from './time-zone.ts';

const formatter = dateFormatter('strict_date_optional_time||epoch_millis');
const NOW = Date.UTC(2024, 1, 29, 13, 45, 30, 500);
const read = (text: string | number, roundUp = false, timeZone: string | null = null) =>
  new Date(parseDateMath(text, { formatter, clock: { nowMs: NOW }, roundUp, timeZone })).toISOString();

describe('date math', () => {
  test.each([
    ['now', '2024-02-29T13:45:30.500Z'],
    ['now-1d/d', '2024-02-28T00:00:00.000Z'],
    ['now+1M', '2024-03-29T13:45:30.500Z'],
    ['now-1y', '2023-02-28T13:45:30.500Z'],
    ['now/w', '2024-02-26T00:00:00.000Z'],
    ['now/M-1h', '2024-01-31T23:00:00.000Z'],
    ['2024-01-31||+1M/d', '2024-02-29T00:00:00.000Z'],
    [1700000000000, '2023-11-14T22:13:20.000Z'],
  ])('%s is %s', (text, expected) => expect(read(text)).toBe(expected));

  test('rounding up takes the last millisecond of the unit', () => {
    expect(read('now/d', true)).toBe('2024-02-29T23:59:59.999Z');
    expect(read('now/y', true)).toBe('2024-12-31T23:59:59.999Z');
  });

  test('a time zone shifts texts without one and the start of days', () => {
    expect(read('2024-07-01', false, '+02:00')).toBe('2024-06-30T22:00:00.000Z');
    expect(read('2024-07-01T00:00:00Z', false, '+02:00')).toBe('2024-07-01T00:00:00.000Z');
    expect(read('now/d', false, 'America/New_York')).toBe('2024-02-29T05:00:00.000Z');
    expect([timeZone('Europe/Berlin').offsetMinutes(Date.UTC(2024, 6, 1)), timeZone('-0330').offsetMinutes(0)]).toEqual(
      [120, -210],
    );
  });

  // Berlin's clocks went from 02:00 to 03:00 on 31 March 2024, and from 03:00 to 02:00 on 27 October.
  test.each([
    ['2024-04-15||/M', 1711922400000],
    ['2024-03-31T12:00:00||/d', 1711839600000],
    ['2024-03-31T12:00:00||-12h', 1711836000000],
    ['2024-03-30T02:30:00||+1d', 1711848600000],
    ['2024-03-31T05:00:00||/h', 1711854000000],
    ['2024-10-27T12:00:00||/d', 1729980000000],
    ['2024-10-27T12:00:00||-1d', 1729936800000],
    ['2024-03-31T00:30:00||+2h', 1711848600000],
    ['2024-10-27T00:30:00Z||/h', 1729987200000],
    ['2024-10-27T01:30:00Z||/h', 1729990800000],
    ['2024-03-31T02:30:00', 1711848600000],
    ['2024-10-27T02:30:00', 1729989000000],
    ['2024-04-03T00:00:00||/w', 1711922400000],
  ])('%s in Berlin is %i, as a recorded server reads it', (text, expected) => {
    expect(parseDateMath(text, { formatter, clock: { nowMs: NOW }, roundUp: false, timeZone: 'Europe/Berlin' })).toBe(
      expected,
    );
  });

  test('the last millisecond of a day of 23 or 25 hours, and of a month of two offsets, is that of its clocks', () => {
    expect(read('2024-03-31T12:00:00||/d', true, 'Europe/Berlin')).toBe('2024-03-31T21:59:59.999Z');
    expect(read('2024-10-27T01:00:00||/d', true, 'Europe/Berlin')).toBe('2024-10-27T22:59:59.999Z');
    expect(read('2024-03-05||/M', true, 'Europe/Berlin')).toBe('2024-03-31T21:59:59.999Z');
  });

  test('refuses what it cannot read', () => {
    expect(() => read('now*2')).toThrow('operator not supported for date math [*2]');
    expect(() => read('2024-07-01', false, 'Mars/Base')).toThrow('Unknown time-zone ID: Mars/Base');
  });
});

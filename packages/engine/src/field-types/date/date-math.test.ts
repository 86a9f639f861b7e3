import { dateFormatter, timeZone } from '@shoal/schema';
import { describe, expect, test } from 'vitest';
import { parseDateMath } from './date-math.ts';

const formatter = dateFormatter('strict_date_optional_time||epoch_millis');
const NOW = Date.UTC(2024, 1, 29, 13, 45, 30, 500);
const read = (text: string | number, roundUp = false, timeZone: string | null = null) =>
  new Date(parseDateMath(text, { formatter, nowMs: NOW, roundUp, timeZone })).toISOString();

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

  test('refuses what it cannot read', () => {
    expect(() => read('now*2')).toThrow('operator not supported for date math [*2]');
    expect(() => read('2024-07-01', false, 'Mars/Base')).toThrow('Unknown time-zone ID: Mars/Base');
  });
});

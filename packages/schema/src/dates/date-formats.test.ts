import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateFormatter, printIso } from './date-formats.ts';

const standard = dateFormatter('strict_date_optional_time||epoch_millis');

describe('dates', () => {
  test.each([
    ['2024', Date.UTC(2024, 0)],
    ['2024-02', Date.UTC(2024, 1)],
    ['2024-02-29', Date.UTC(2024, 1, 29)],
    ['2024-01-02T03', Date.UTC(2024, 0, 2, 3)],
    ['2024-01-02T03:04:05.678Z', Date.UTC(2024, 0, 2, 3, 4, 5, 678)],
    ['2024-01-02T03:04:05.678901234+02:00', Date.UTC(2024, 0, 2, 1, 4, 5, 678)],
    ['1704067200000', 1704067200000],
    [1704067200000, 1704067200000],
  ])('%s is read', (text, ms) => {
    expect(standard.parseMs(text)).toBe(ms);
  });

  test.each([
    ['dateOptionalTime', '2024-1-2', Date.UTC(2024, 0, 2)],
    ['strictDateOptionalTime', '2024-01-02', Date.UTC(2024, 0, 2)],
    ['basicDateTimeNoMillis', '20240102T030405Z', Date.UTC(2024, 0, 2, 3, 4, 5)],
    ['weekyearWeek||yyyyMMdd', '20240102', Date.UTC(2024, 0, 2)],
  ])('%s is a name of version 7: %s', (format, text, ms) => {
    expect(dateFormatter(format).parseMs(text)).toBe(ms);
  });

  test.each(['epochMillis', 'dateOptionaltime', 'DateOptionalTime'])('%s was never a name', (format) => {
    expect(() => dateFormatter(format)).toThrow('Invalid format');
  });

  test.each(['not a date', '2023-02-29', '2024-1-2', '2024-01-02 03:04', ''])('%s is refused', (text) => {
    expect(() => standard.parseMs(text)).toThrow(
      `failed to parse date field [${text}] with format [strict_date_optional_time||epoch_millis]`,
    );
  });

  test.each([
    ['2020', "Text '2020' could not be parsed at index 4"],
    ['x', "Text 'x' could not be parsed at index 0"],
    ['-7.5', "Text '-7.5' could not be parsed at index 1"],
    ['1614834367', "Text '1614834367' could not be parsed at index 0"],
    ['2020-01-01x', "Text '2020-01-01x' could not be parsed, unparsed text found at index 10"],
  ])('%s in a pattern is refused with the place where reading ended', (text, reason) => {
    expect(() => dateFormatter('yyyy-MM-dd').parseMs(text)).toThrow(
      expect.objectContaining({ causedBy: expect.objectContaining({ reason }) }),
    );
  });

  test.each([
    ['2024', Date.UTC(2024, 0, 1, 23, 59, 59, 999)],
    ['2024-02', Date.UTC(2024, 1, 1, 23, 59, 59, 999)],
    ['2024-02-10', Date.UTC(2024, 1, 10, 23, 59, 59, 999)],
    ['2024-02-10T11', Date.UTC(2024, 1, 10, 11, 59, 59, 999)],
  ])('as the end of a range %s means the last millisecond of its first day or of its hour', (text, ms) => {
    expect(standard.parseMs(text, { roundUp: true })).toBe(ms);
  });

  test.each([
    ['yyyy-MM-dd HH:mm:ss', '2024-01-02 03:04:05', Date.UTC(2024, 0, 2, 3, 4, 5)],
    ['yyyy/MM/dd', '2024/01/02', Date.UTC(2024, 0, 2)],
    ["yyyyMMdd'T'HHmmss.SSSZ", '20240102T030405.678+0100', Date.UTC(2024, 0, 2, 2, 4, 5, 678)],
    ['dd/MMM/yyyy:HH:mm:ss Z', '02/Jan/2024:03:04:05 +0000', Date.UTC(2024, 0, 2, 3, 4, 5)],
    ['basic_date', '20240102', Date.UTC(2024, 0, 2)],
    ['epoch_second', '1704067200', 1704067200000],
    ['hh:mm a', '03:30 PM', 15.5 * 3_600_000],
    ['date', '2024-1-2', Date.UTC(2024, 0, 2)],
    ['date_time', '2024-1-2T3:4:5.6Z', Date.UTC(2024, 0, 2, 3, 4, 5, 600)],
    ['strict_date_time', '2024-01-02T03:04:05.678901Z', Date.UTC(2024, 0, 2, 3, 4, 5, 678)],
    ['strict_date_hour_minute_second_fraction', '2024-01-02T03:04:05.6', Date.UTC(2024, 0, 2, 3, 4, 5, 600)],
    ['ordinal_date', '2024-2', Date.UTC(2024, 0, 2)],
    ['yyyy-MM-dd[ HH:mm]', '2024-01-02', Date.UTC(2024, 0, 2)],
  ])('in %s', (format, text, ms) => {
    expect(dateFormatter(format).parseMs(text)).toBe(ms);
  });

  test.each([
    ['strict_date', '2024-1-2'],
    ['strict_hour_minute', '3:4'],
    ['basic_date', '202412'],
    ['yyyy-MM-dd', '2024-1-2'],
    ['HH:mm:ss.SSS', '03:04:05.6'],
  ])('in %s: %s is refused', (format, text) => {
    expect(() => dateFormatter(format).parseMs(text)).toThrow('failed to parse date field');
  });

  test('print the time of a zone with its offset', () => {
    const ms = Date.UTC(2024, 0, 31, 23, 30);
    expect(printIso(ms, 90)).toBe('2024-02-01T01:00:00.000+01:30');
    expect(dateFormatter("yyyy-MM-dd'T'HH:mmZ").print(ms, -210)).toBe('2024-01-31T20:00-0330');
    expect(dateFormatter('yyyy-MM-dd HH:mm XXX').print(ms, 0)).toBe('2024-01-31 23:30 Z');
  });

  test('printed and read again are the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62135596800000, max: 253402300799999 }), (ms) => {
        expect(printIso(ms)).toBe(new Date(ms).toISOString());
        expect(standard.parseMs(printIso(ms))).toBe(ms);
        const pattern = dateFormatter('yyyy-MM-dd HH:mm:ss.SSSXXX');
        expect(pattern.parseMs(pattern.print(ms))).toBe(ms);
      }),
    );
  });
});

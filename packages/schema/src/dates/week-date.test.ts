import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dateFormatter } from './date-formats.ts';
import { daysOfWeekDate, weekDateOf, weeksInYear } from './week-date.ts';

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);

describe('weeks', () => {
  test.each([
    ['2018-12-31', 2019, 1, 1],
    ['2020-12-31', 2020, 53, 4],
    ['2021-01-03', 2020, 53, 7],
    ['2021-01-04', 2021, 1, 1],
    ['1970-01-01', 1970, 1, 4],
    ['1969-12-28', 1969, 52, 7],
  ])('%s is of year %i, week %i, day %i', (text, weekYear, week, weekDay) => {
    expect(weekDateOf(day(text) / 86_400_000)).toEqual({ weekYear, week, weekDay });
  });

  test('of a day and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -800_000, max: 2_000_000 }), (days) => {
        const date = weekDateOf(days);
        expect(daysOfWeekDate(date)).toBe(days);
        expect(date.week).toBeLessThanOrEqual(weeksInYear(date.weekYear));
      }),
    );
  });

  test.each([
    ['week_date', '2020-W5-2', '2020-01-28', '2020-W05-2'],
    ['strict_week_date', '2020-W05-2', '2020-01-28', '2020-W05-2'],
    ['strict_basic_week_date', '2020W011', '2019-12-30', '2020W011'],
    ['weekyear', '2020', '2019-12-30', '2020'],
    ['strict_weekyear_week', '2020-W05', '2020-01-27', '2020-W05'],
    ['weekyear_week_day', '2020-W05-7', '2020-02-02', '2020-W05-7'],
    ["YYYY-'W'ww-e", '2021-W53-1', '2021-12-27', '2021-W52-1'],
    ['YYYY-w-eee', '2020-5-Tue', '2020-01-28', '2020-5-Tue'],
    ['YYYY-MM-dd', '2020-05-02', '2019-12-30', '2020-12-30'],
    ["yyyy-'W'ww-e", '2020-W05-2', '2020-01-01', '2020-W01-3'],
  ])('in %s: %s is %s, shown as %s', (format, text, date, shown) => {
    const formatter = dateFormatter(format);
    expect(formatter.parseMs(text)).toBe(day(date));
    expect(formatter.print(day(date))).toBe(shown);
  });

  test('with a time of day', () => {
    const noon = Date.UTC(2020, 0, 28, 10, 11, 12, 123);
    expect(dateFormatter('basic_week_date_time').parseMs('2020W052T101112.123Z')).toBe(noon);
    expect(dateFormatter('week_date_time_no_millis').parseMs('2020-W05-2T11:11:12+01:00')).toBe(noon - 123);
    expect(dateFormatter('strict_week_date_time').print(noon)).toBe('2020-W05-2T10:11:12.123Z');
  });

  test.each([
    ['strict_week_date', '2020-W5-2'],
    ['strict_week_date', '2021-W53-1'],
    ['weekyear_week', '2020-W54'],
    ['YYYY-ww-e', '2020-05-8'],
  ])('in %s: %s is refused', (format, text) => {
    expect(() => dateFormatter(format).parseMs(text)).toThrow('failed to parse date field');
  });

  test('of a month begin on Mondays', () => {
    const shown = ['2020-01-01', '2021-06-15', '2020-05-01'].map((text) => dateFormatter('W').print(day(text)));
    expect(shown).toEqual(['1', '3', '0']);
  });
});

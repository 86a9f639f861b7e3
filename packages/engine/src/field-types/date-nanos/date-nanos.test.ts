import { dateFormatter, mergeMapping, parseMapping } from '@shoal/schema';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DATE_NANOS } from './date-nanos.ts';

const clock = { nowMs: 1_540_815_132_123 };
const NANOS_MAX = 2n ** 63n - 1n;

const mapping = parseMapping({ properties: { at: { type: 'date_nanos' } } });
const field = mapping.field('at');
if (field === null) throw new Error('the mapping lacks its field');

const read = (value: unknown): unknown => DATE_NANOS.read(field, value, dateFormatter);
const range = (from: string | null, to: string | null, isInclusive = true) =>
  DATE_NANOS.range(
    field,
    {
      from,
      to,
      includesFrom: isInclusive,
      includesTo: isInclusive,
      format: null,
      timeZone: null,
      relation: 'intersects',
    },
    clock,
  );

describe('date_nanos', () => {
  test.each([
    'strict_date_optional_time_nanos',
    'strict_date_time',
    'epoch_millis',
    'epoch_second',
    'yyyy-MM-dd HH:mm:ss.SSSSSSSSS',
  ])('an instant printed as %s is read again to the nanosecond', (format) => {
    const formatter = dateFormatter(format);
    fc.assert(
      fc.property(fc.bigInt(0n, NANOS_MAX), (nanos) => {
        expect(formatter.parseNanos(formatter.printNanos(nanos))).toBe(nanos);
      }),
    );
  });

  test('nanoseconds and milliseconds of a text are the same instant', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, NANOS_MAX), fc.boolean(), (nanos, roundUp) => {
        const text = dateFormatter('strict_date_optional_time_nanos').printNanos(nanos);
        const formatter = dateFormatter('strict_date_optional_time');
        expect(Number(formatter.parseNanos(text, { roundUp }) / 1_000_000n)).toBe(formatter.parseMs(text, { roundUp }));
      }),
    );
  });

  test('values are whole nanoseconds', () => {
    expect(read('2018-10-29T12:12:12.123456789Z')).toBe(1_540_815_132_123_456_789n);
    expect(read('2018-10-29')).toBe(1_540_771_200_000_000_000n);
    expect(read(10)).toBe(10_000_000);
  });

  test.each([
    ['1969-12-31T23:59:59.5Z', 'date[1969-12-31T23:59:59.500Z] is before the epoch in 1970'],
    ['1900', 'date[1900-01-01T00:00:00Z] is before the epoch in 1970'],
    ['2262-04-11T23:47:16.854775808Z', 'date[2262-04-11T23:47:16.854775808Z] is after 2262-04-11T23:47:16.854775807'],
  ])('%s is refused', (text, why) => {
    expect(() => read(text)).toThrow(`${why} and cannot be stored in nanosecond resolution`);
  });

  test('the end of a range is the last nanosecond of what it names', () => {
    expect(range('2018-10-29', '2018-10-29')).toEqual({
      kind: 'numberRange',
      bounds: { from: 1_540_771_200_000_000_000n, to: 1_540_857_599_999_999_999n },
    });
    expect(range('now', 'now')).toEqual({
      kind: 'numberRange',
      bounds: { from: 1_540_815_132_123_000_000n, to: 1_540_815_132_123_000_000n },
    });
    expect(range('now/d', 'now/d').kind === 'numberRange' && range('now/d', 'now/d')).toEqual(
      range('2018-10-29', '2018-10-29'),
    );
    expect(range('2018-10-29T12:12:12.000000001Z', null, false)).toEqual({
      kind: 'numberRange',
      bounds: { from: 1_540_815_132_000_000_002n, to: NANOS_MAX },
    });
  });

  test('a date field cannot become one of nanoseconds', () => {
    const before = { properties: { at: { type: 'date' } } };
    expect(() => mergeMapping(before, { properties: { at: { type: 'date_nanos' } } })).toThrow(
      'mapper [at] cannot be changed from type [date] to [date_nanos]',
    );
  });
});

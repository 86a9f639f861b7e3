import { Timestamp } from '@shoal/agent-event';
import { describe, expect, test } from 'vitest';
import { csvConversions } from './csv-conversions.ts';

function converted(kind: string, text: string): unknown {
  const value = csvConversions(new Map([['a', kind]])).get('a')?.(text);
  return value instanceof Timestamp ? value.toString() : value;
}

describe('a CSV value', () => {
  test.each([
    ['integer', '0x1A', 26],
    ['integer', ' 12 ', 12],
    ['integer', '012', 10],
    ['integer', '1_000', 1000],
    ['integer', '-0x1f', -31],
    ['integer', '08', '08'],
    ['integer', '1e3', '1e3'],
    ['float', '1.5', 1.5],
    ['float', '-0x1f', '-0x1f'],
    ['float', 'x', 'x'],
    ['boolean', ' TRUE ', true],
    ['boolean', ' No ', 'no'],
    ['date', 'Foo 2, 2020', 'Foo 2, 2020'],
    ['date', 'Jan 32, 2020', 'Jan 32, 2020'],
    ['date', '2 Jan 2020', '2 Jan 2020'],
    ['date', '2020-13-01', '2020-13-01'],
    ['date_time', '2020-01-02 03:04:05', '2020-01-02T03:04:05.000Z'],
    ['date_time', '2020-01-02T03:04:05+02:00', '2020-01-02T01:04:05.000Z'],
    ['date_time', '2020-01-02 03:04', '2020-01-02T03:04:00.000Z'],
    ['date_time', '2020-01-02 03:04:05 UTC', '2020-01-02T03:04:05.000Z'],
    ['date_time', '2020-01-02', '2020-01-02T00:00:00.000Z'],
    ['date_time', '2020-01-02 03:04:05.5', '2020-01-02T03:04:05.500Z'],
    ['date_time', 'Thu Jan 2 10:11:12 2020', '2020-01-02T10:11:12.000Z'],
    ['date_time', 'Jan 2, 2020 3:04', 'Jan 2, 2020 3:04'],
  ])('as %s: %j is %j', (kind, text, value) => {
    expect(converted(kind, text)).toEqual(value);
  });

  test.each(['2020-01-02', 'Jan 2, 2020', 'January 2 20', 'Thu, Jan 2 2020'])(
    '%s is a day that begins here',
    (text) => {
      expect(converted('date', text)).toBe(new Timestamp(new Date(2020, 0, 2).getTime()).toString());
    },
  );

  test('of another kind is refused', () => {
    expect(() => converted('money', '1')).toThrow('[convert] cannot make [money] of [a]; known are integer, float');
    expect(() => converted('constructor', '1')).toThrow('cannot make [constructor]');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvRowText, parseCsvRows } from './csv-rows.ts';

const dialect = { separator: ',', quote: '"' };

describe('rows of CSV', () => {
  test.each([
    [
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a,\r\n', [['a', '']]],
    ['"a\nb","c""d"', [['a\nb', 'c"d']]],
    ['a"b,c', [['a"b', 'c']]],
  ])('%j', (text, rows) => {
    expect(parseCsvRows(text, dialect)).toEqual(rows);
  });

  test('with a quote that is never closed are refused', () => {
    expect(() => parseCsvRows('a,"b', dialect)).toThrow('a quoted value is not closed');
  });

  test('that are written are read back', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (values) => {
        expect(parseCsvRows(csvRowText(values, dialect), dialect)).toEqual([values]);
      }),
    );
  });

  test('tell an empty value from an empty text', () => {
    expect(csvRowText([null, '', 'x y', ' x', 'a"b'], dialect)).toBe(',"",x y," x","a""b"');
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsvRecord } from './csv-record.ts';
import { csvRowText } from './csv-rows.ts';

const dialect = { separator: ',', quote: '"' };

test('rows that are written are read as they were', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (values) => {
      expect(readCsvRecord(csvRowText(values, dialect), ',', '"')).toEqual(values);
    }),
  );
});

test('what needs quotes gets them, and nothing else', () => {
  expect(csvRowText([null, '', 'x y', ' x', 'a"b', 'a\rb', '\tx '], dialect)).toBe(',"",x y, x,"a""b","a\rb",\tx ');
});

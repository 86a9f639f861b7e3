import { expect, test } from 'vitest';
import { csvRecords, readCsvRecord } from './csv-record.ts';

test.each([
  ['a,b', ['a', 'b']],
  ['a,,c', ['a', null, 'c']],
  ['a,', ['a', null]],
  ['', [null]],
  ['"a,b","c""d"\r\n', ['a,b', 'c"d']],
  ['"",x', ['', 'x']],
  ['"two\nlines",x', ['two\nlines', 'x']],
])('the record %j has the values %j', (text, values) => {
  expect(readCsvRecord(text, ',', '"')).toEqual(values);
});

test.each(['"open', '"a"b', 'a"b'])('%j is no record, as in Ruby', (text) => {
  expect(readCsvRecord(text, ',', '"')).toBeNull();
});

test('separators may have several characters, and quotes may be off', () => {
  expect(readCsvRecord('a||"b', '||', '')).toEqual(['a', '"b']);
});

test('records end with lines, but not between quotes', () => {
  expect(csvRecords('a,b\r\n"c\nd",""\n\ne', '"')).toEqual(['a,b\r\n', '"c\nd",""\n', 'e']);
  expect(csvRecords('"a\nb', '"')).toEqual(['"a\nb']);
  expect(csvRecords('', '"')).toEqual([]);
  expect(csvRecords('a\n\n \n', '"', { keepsEmpty: true })).toEqual(['a\n', '\n', ' \n']);
  expect(csvRecords('', '"', { keepsEmpty: true })).toEqual([]);
});

import { describe, expect, test } from 'vitest';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { decodeAll, sample, textOf } from '../codec-text.test-support.ts';

describe('the csv codec', () => {
  test('names columns, generates missing names, converts', () => {
    const codec = makeCodec('csv', { columns: ['a', 'b'], convert: { a: 'integer' } });
    const [event] = decodeAll(codec, '1,"x, ""y""",z');
    expect(event?.fields.get('a')).toBe(1);
    expect(event?.fields.get('b')).toBe('x, "y"');
    expect(event?.fields.get('column3')).toBe('z');
  });
  test('takes names from the first row', () => {
    const [event] = decodeAll(makeCodec('csv', { autodetect_column_names: true }), 'a,b\n1,2\n');
    expect(event?.fields.get('b')).toBe('2');
  });
  test.each(['"a', 'a"b,c', '"a" b'])('tags quotes that are wrong: %s', (text) => {
    const [event] = decodeAll(makeCodec('csv'), text);
    expect(event?.hasTag('_csvparsefailure')).toBe(true);
    expect(event?.fields.get('message')).toBe(text);
  });
  test('an empty value is null, quotes around nothing are the empty text', () => {
    const [event] = decodeAll(makeCodec('csv', { convert: { column1: 'integer' } }), ',"",x');
    expect(['column1', 'column2', 'column3'].map((name) => event?.fields.get(name))).toEqual([null, '', 'x']);
    const [other] = decodeAll(makeCodec('csv', { skip_empty_columns: true }), ',"",x');
    expect([...(other?.fields.keys() ?? [])].filter((name) => name.startsWith('column'))).toEqual(['column3']);
  });
  test('writes values as Ruby prints them, with quotes only where they are needed', () => {
    const codec = makeCodec('csv', { columns: ['a', 'b', 'c'], separator: ';' });
    const event = sample();
    event.fields
      .set('a', ' x')
      .set('b', ['1', null])
      .set('c', new Map([['k', 'v;']]));
    expect(textOf(codec, event)).toBe(' x;"[""1"", nil]";"{""k""=>""v;""}"\n');
  });
  test('writes the header once', () => {
    const codec = makeCodec('csv', { columns: ['message', 'nothing'], include_headers: true });
    expect(textOf(codec, sample())).toBe('message,nothing\nhello,\n');
    expect(textOf(codec, sample())).toBe('hello,\n');
  });
});

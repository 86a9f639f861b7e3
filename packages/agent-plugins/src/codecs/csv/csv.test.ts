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
  test('tags a quote that is never closed', () => {
    expect(decodeAll(makeCodec('csv'), '"a')[0]?.hasTag('_csvparsefailure')).toBe(true);
  });
  test('writes the header once', () => {
    const codec = makeCodec('csv', { columns: ['message', 'nothing'], include_headers: true });
    expect(textOf(codec, sample())).toBe('message,nothing\nhello,\n');
    expect(textOf(codec, sample())).toBe('hello,\n');
  });
});

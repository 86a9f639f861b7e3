import { describe, expect, test } from 'vitest';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { decodeAll, messages, sample, textOf } from '../codec-text.test-support.ts';

describe('the plain codec', () => {
  test('makes one event of a unit', () => {
    expect(messages(decodeAll(makeCodec('plain'), 'a\nb'))).toEqual(['a\nb']);
  });
  test('prints time, host and message, or the format', () => {
    expect(textOf(makeCodec('plain'), sample())).toBe('2026-01-02T03:04:05.678Z web hello');
    expect(textOf(makeCodec('plain', { format: '%{message}!' }), sample())).toBe('hello!');
  });
  test('reads other charsets', () => {
    const decoder = makeCodec('plain', { charset: 'ISO-8859-1' }).decoder();
    expect(messages([...decoder.decode(new Uint8Array([0xe9]))])).toEqual(['é']);
  });
});

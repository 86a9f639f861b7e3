import { describe, expect, test } from 'vitest';
import { charsetNamed } from './charset.ts';

describe('a charset', () => {
  test.each([
    ['UTF-8', [0x61, 0xe9, 0x22], 'a\\xE9\\"'],
    ['utf-8', [...Buffer.from('κόσμε "')], 'κόσμε "'],
    ['CP65001', [...Buffer.from('ä')], 'ä'],
    ['ISO-8859-1', [0xe0, 0x20, 0xe9], 'à é'],
    ['Windows-1252', [0x80], '€'],
    ['ASCII-8BIT', [0xe0, 0x61], '\ufffda'],
    ['BINARY', [0xce, 0xba], '\ufffd\ufffd'],
    ['US-ASCII', [0x61, 0xc3, 0xa4], 'a\ufffd\ufffd'],
    ['Shift_JIS', [0x82, 0xa0], 'あ'],
  ])('%s reads %j', (name, bytes, text) => {
    expect(charsetNamed(name).decode(Uint8Array.from(bytes))).toBe(text);
  });

  test('nobody knows is refused', () => {
    expect(() => charsetNamed('klingon')).toThrow('the charset [klingon] is not known');
  });
});

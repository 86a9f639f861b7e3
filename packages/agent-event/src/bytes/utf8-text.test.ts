import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { utf8Text } from './utf8-text.ts';

describe('bytes as UTF-8', () => {
  test('are their text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(utf8Text(Buffer.from(text))).toBe(text);
      }),
    );
    expect(utf8Text(Buffer.from('a\ufffd"'))).toBe('a\ufffd"');
  });

  test.each([
    [[0x66, 0xed, 0xb9, 0x81, 0xc3], 'f\\xED\\xB9\\x81\\xC3'],
    [[0xad], '\\xAD'],
    [[0xe2, 0x82, 0x61], '\\xE2\\x82a'],
    [[0xc0, 0xaf], '\\xC0\\xAF'],
    [[0xf4, 0x90, 0x80, 0x80], '\\xF4\\x90\\x80\\x80'],
    [[...Buffer.from('κ"\\\n\t#{'), 0xff, ...Buffer.from('μ')], 'κ\\"\\\\\\n\\t\\#{\\xFFμ'],
  ])('that are none show every byte: %j', (bytes, text) => {
    expect(utf8Text(Buffer.from(bytes))).toBe(text);
  });
});

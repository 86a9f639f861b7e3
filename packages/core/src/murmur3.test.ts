import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { murmur3, murmur3Ascii, murmur3Bytes } from './murmur3.ts';

describe('the routing hash', () => {
  test.each([
    ['hell', 0x5a0cb7c3],
    ['hello', 0xd7c31989],
    ['hello w', 0x22ab2984],
    ['hello wo', 0xdf0ca123],
    ['hello wor', 0xe7744d61],
    ['The quick brown fox jumps over the lazy dog', 0xe07db09c],
    ['The quick brown fox jumps over the lazy cog', 0x4e63d2ad],
  ])('of [%s] is what Elasticsearch computes', (text, hash) => {
    expect(murmur3(text) >>> 0).toBe(hash);
  });

  test('of ASCII is the same where it stands among other bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), fc.nat(5), (text, before) => {
        const bytes = Buffer.from(`${'x'.repeat(before)}${text}yz`, 'latin1');
        expect(murmur3Ascii(bytes, before, before + text.length)).toBe(murmur3(text));
      }),
    );
  });

  test('of a text is that of its UTF-16 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(murmur3Bytes(Buffer.from(text, 'utf16le'), 0)).toBe(murmur3(text));
      }),
    );
  });
});

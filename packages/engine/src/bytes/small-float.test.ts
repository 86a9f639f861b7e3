import { describe, expect, test } from 'vitest';
import { decodeFieldLength, encodeFieldLength } from './small-float.ts';

describe('the encoding of field lengths', () => {
  test('is exact up to 40, grows with the length, and rounds down', () => {
    for (let length = 0; length <= 40; length++) expect(decodeFieldLength(encodeFieldLength(length))).toBe(length);
    for (let byte = 0; byte < 256; byte++) expect(encodeFieldLength(decodeFieldLength(byte))).toBe(byte);
    for (let length = 1; length < 5_000; length++) {
      expect(encodeFieldLength(length) - encodeFieldLength(length - 1)).toBeGreaterThanOrEqual(0);
      expect(decodeFieldLength(encodeFieldLength(length))).toBeLessThanOrEqual(length);
    }
    expect(encodeFieldLength(0x7fff_ffff)).toBe(255);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeCodec } from '../../plugin-instance.test-support.ts';
import { decodeAll, messages, sample, textOf } from '../codec-text.test-support.ts';

describe('the line codec', () => {
  test('keeps the carriage return and gives the rest at the end', () => {
    expect(messages(decodeAll(makeCodec('line'), 'a\r\nb', 'c\n', '\nd'))).toEqual(['a\r', 'bc', '', 'd']);
  });
  test('cuts at any delimiter, wherever the chunks are cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[ab]{1,5}$/), { minLength: 1 }),
        fc.integer({ min: 1, max: 7 }),
        (lines, size) => {
          const text = lines.join('|+|');
          const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
            text.slice(i * size, (i + 1) * size),
          );
          expect(messages(decodeAll(makeCodec('line', { delimiter: '|+|' }), ...chunks))).toEqual(lines);
        },
      ),
    );
  });
  test('writes the delimiter, with escapes as configurations hold them', () => {
    expect(textOf(makeCodec('line', { format: '%{message}', delimiter: '\\r\\n' }), sample())).toBe('hello\r\n');
  });
});

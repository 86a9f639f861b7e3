import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AsciiWords, isAscii } from '../tokens/ascii-words.ts';
import { createStandardTokenizer } from './standard.ts';

const pieces = fc.constantFrom(
  'a',
  'Zz',
  '7',
  '42',
  '_',
  '.',
  "'",
  ':',
  ',',
  ';',
  '"',
  ' ',
  '-',
  '\n',
  '\0',
  '~',
  'word',
  '1.5',
  "it's",
);
const ascii = fc.oneof(
  fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
);

test('words of ASCII text are those of the standard tokenizer, at every greatest length', () => {
  fc.assert(
    fc.property(ascii, fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(255)), (text, maxLength) => {
      const expected: unknown[] = [];
      createStandardTokenizer(maxLength).tokenize(text, (term, start, end, increment) => {
        expected.push([term, start, end, increment]);
      });
      const words = new AsciiWords(maxLength);
      const found: unknown[] = [];
      for (let at = 0; words.next(text, at); at = words.end) {
        found.push([text.slice(words.start, words.end), words.start, words.end, 1]);
      }
      expect(found).toEqual(expected);
    }),
    { numRuns: 1_000 },
  );
});

test('text is ASCII up to 0x7f', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => isAscii(text) === /^[\0-\x7f]*$/.test(text)));
});

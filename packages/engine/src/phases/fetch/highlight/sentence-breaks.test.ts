import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitSentences } from './sentence-breaks.ts';

/** Sentences of a text. */
function sentences(text: string): readonly string[] {
  const splitter = splitSentences(text);
  const found: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = splitter.following(at);
    found.push(text.slice(at, end));
    at = end;
  }
  return found;
}

describe('a sentence', () => {
  test.each([
    ['a full stop, spaces and no lower case', 'Hello. |World x'],
    ['a full stop over several spaces and lines', 'Hello. \n |World x'],
    ['a full stop and what closes it', 'Hello.) |World x'],
    ['a full stop, spaces and what may open a word of any case', 'Hello. |(world'],
    ['a full stop and what may open a word', 'Hello.|_world'],
    ['a full stop and a quote, whichever letter follows', 'Hello."|world'],
    ['letters without case behind a full stop and spaces', 'Hello. |日本'],
    ['an exclamation or question whatever follows', 'Hello?|world! |and! |) x'],
    ['full stops of other scripts', '日本。|日本'],
    ['a danda with its spaces', 'क। |क'],
    ['the end of a paragraph', 'Hello\u2029|World. \u2029|x'],
  ])('ends at %s', (_, text) => {
    expect(sentences(text.replaceAll('|', ''))).toEqual(text.split('|'));
  });
  test.each([
    ['lower case', 'Hello. world'],
    ['a digit', 'Hello. 5 is'],
    ['a letter next to it', 'LAVA.KKT35 and Hello.World'],
    ['a mark that closes', 'Hello. ) World'],
    ['a mark without a letter', 'Hello.# World'],
    ['a comma', 'Hello. ,World'],
    ['a line', 'Hello\nWorld'],
  ])('goes on where a full stop is followed by %s', (_, text) => {
    expect(sentences(text)).toEqual([text]);
  });
});

test('the sentences of any text are the text, each boundary is found from both sides', () => {
  const letter = fc.constantFrom(
    'a',
    'B',
    '日',
    '5',
    ' ',
    '(',
    ')',
    '"',
    '#',
    '.',
    '!',
    ',',
    '\u2029',
    '।',
    '\u0301',
    '😀',
    '\ud83d',
  );
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 30 }), (letters) => {
      const text = letters.join('');
      const found = sentences(text);
      expect(found.join('')).toBe(text);
      let at = 0;
      for (const { length } of found) {
        expect(splitSentences(text).preceding(at + length)).toBe(at);
        at += length;
      }
    }),
  );
});

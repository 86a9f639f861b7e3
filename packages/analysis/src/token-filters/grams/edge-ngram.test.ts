import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createWhitespaceTokenizer } from '../../tokenizers/whitespace.ts';
import { consumerOf } from '../consumer-of.test-support.ts';
import { edgeNgram } from './edge-ngram.ts';

type Token = readonly [term: string, start: number, end: number, increment: number];

function tokensOf(text: string, options: Readonly<Record<string, string>>): Token[] {
  const tokens: Token[] = [];
  const consume = consumerOf(edgeNgram, options, (term, start, end, increment) =>
    tokens.push([term, start, end, increment]),
  );
  createWhitespaceTokenizer().tokenize(text, consume);
  return tokens;
}

const terms = (text: string, options: Readonly<Record<string, string>>): string[] =>
  tokensOf(text, options).map(([term]) => term);

describe('the edge_ngram token filter', () => {
  test('makes grams of one and two characters by default, at the position and with the offsets of the term', () => {
    expect(tokensOf('fox a', {})).toEqual([
      ['f', 0, 3, 1],
      ['fo', 0, 3, 0],
      ['a', 4, 5, 1],
    ]);
  });

  test('drops terms shorter than min_gram, and the next gram keeps its distance', () => {
    expect(tokensOf('a quick ox', { min_gram: '3', max_gram: '4' })).toEqual([
      ['qui', 2, 7, 2],
      ['quic', 2, 7, 0],
    ]);
  });

  test('preserve_original keeps terms that are too short or too long', () => {
    expect(tokensOf('a quick', { min_gram: '2', max_gram: '3', preserve_original: 'true' })).toEqual([
      ['a', 0, 1, 1],
      ['qu', 2, 7, 1],
      ['qui', 2, 7, 0],
      ['quick', 2, 7, 0],
    ]);
  });

  test('side back takes the last characters', () => {
    expect(terms('quick', { min_gram: '1', max_gram: '3', side: 'back' })).toEqual(['k', 'ck', 'ick']);
  });

  test('counts code points, not UTF-16 units', () => {
    expect(terms('\u{1F600}\u{1F601}x', { min_gram: '1', max_gram: '2' })).toEqual(['\u{1F600}', '\u{1F600}\u{1F601}']);
  });

  test.each([
    [{ min_gram: '0' }, 'minGram must be greater than zero'],
    [{ min_gram: '3' }, 'minGram must not be greater than maxGram'],
    [{ max_gram: 'many' }, 'Failed to parse int setting [max_gram] with value [many]'],
    [{ side: 'top' }, 'invalid side: top'],
    [{ preserve_original: 'yes' }, 'Failed to parse value [yes]'],
  ])('refuses %j', (options, reason) => expect(() => tokensOf('', options)).toThrow(reason));

  test('every gram is a prefix of its term with a length in range, each length once', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '\u00e9', '\u{1F600}'), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 5 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat({ max: 4 }),
        (words, min, more) => {
          const max = min + more;
          const expected = words.flatMap((term) => {
            const points = [...term];
            const lengths = points.map((_, i) => i + 1).filter((length) => length >= min && length <= max);
            return lengths.map((length) => points.slice(0, length).join(''));
          });
          expect(terms(words.join(' '), { min_gram: `${min}`, max_gram: `${max}` })).toEqual(expected);
        },
      ),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExactMatcher, type PhrasePositions, SloppyMatcher } from './phrase-matcher.ts';

function places(phrase: readonly string[], text: readonly string[]): PhrasePositions[] {
  return phrase.map((word, offset) => {
    const positions = Uint32Array.from(text.flatMap((w, i) => (w === word ? [i] : [])));
    const isRepeated = phrase.filter((w) => w === word).length > 1;
    return {
      offset,
      group: isRepeated ? word.charCodeAt(0) : -1,
      hasChoices: false,
      positions,
      count: positions.length,
    };
  });
}

const word = fc.constantFrom('a', 'b', 'c');

describe('phrases', () => {
  test('are counted where every word stands in its place', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 4 }), fc.array(word, { maxLength: 14 }), (phrase, text) => {
        const terms = places(phrase, text);
        const expected = text.filter((_, i) => phrase.every((w, j) => text[i + j] === w)).length;
        const found = terms.every(({ count }) => count > 0) ? new ExactMatcher(terms).frequency() : 0;
        expect(found).toBe(expected);
      }),
    );
  });

  test('with slop are found wherever they are found without, and more with more slop', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { minLength: 2, maxLength: 3 }),
        fc.array(word, { maxLength: 14 }),
        fc.integer({ min: 1, max: 4 }),
        (phrase, text, slop) => {
          const terms = places(phrase, text);
          if (!terms.every(({ count }) => count > 0)) return;
          const narrow = new SloppyMatcher(terms, slop).frequency();
          expect(new SloppyMatcher(terms, slop + 1).frequency()).toBeGreaterThanOrEqual(narrow);
          if (new ExactMatcher(terms).frequency() > 0) expect(narrow).toBeGreaterThan(0);
        },
      ),
    );
  });

  test.each([
    ['a b', 'a x b', 1, 0.5],
    ['a b', 'b a', 2, 1 / 3],
    ['a b', 'b a', 1, 0],
    ['a b', 'a b x a y b', 1, 1.5],
    ['a a', 'a x a', 1, 0.5],
    ['a a', 'a', 3, 0],
  ])('"%s" in "%s" within %i weighs %d', (phrase, text, slop, expected) => {
    const terms = places(phrase.split(' '), text.split(' '));
    expect(new SloppyMatcher(terms, slop).frequency()).toBeCloseTo(expected, 6);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringSimilarity } from './string-distances.ts';

const DISTANCES = ['damerau_levenshtein', 'levenshtein', 'jaro_winkler', 'ngram'] as const;

describe('how alike two words are', () => {
  test.each([
    ['levenshtein', 'kitten', 'sitting', 1 - 3 / 7],
    ['levenshtein', 'ab', 'ba', 0],
    ['damerau_levenshtein', 'ab', 'ba', 0.5],
    ['jaro_winkler', 'martha', 'marhta', 0.961111],
    ['jaro_winkler', 'dixon', 'dicksonx', 0.813333],
    ['jaro_winkler', 'ab', 'cd', 0],
    ['ngram', 'night', 'nacht', 0.6],
  ] as const)('by %s: %s and %s', (distance, a, b, similarity) => {
    expect(stringSimilarity(distance, a, b)).toBeCloseTo(similarity, 5);
  });

  test.each(DISTANCES)('by %s: the same word is as alike as can be, and the order does not count', (distance) => {
    const word = fc.stringMatching(/^[a-d]{1,8}$/);
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(stringSimilarity(distance, a, a)).toBe(1);
        expect(stringSimilarity(distance, a, b)).toBeLessThanOrEqual(1);
        if (distance !== 'jaro_winkler') {
          expect(stringSimilarity(distance, a, b)).toBeCloseTo(stringSimilarity(distance, b, a), 6);
        }
      }),
    );
  });
});

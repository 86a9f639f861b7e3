import { describe, expect, test } from 'vitest';
import { findBlowUps, patternRisk } from './find-blow-ups.ts';

describe('catastrophic backtracking', () => {
  test.each(['(\\w+\\s?)*$', '(a|b|[ab])+c', '(?:[a-z]+)*x+([a-z]*-?)+y', '(.*,?)+z'])(
    '%s can cause it, and is warned of',
    (pattern) => {
      expect(findBlowUps(pattern)).not.toEqual([]);
    },
  );

  test.each(['^\\d+ [a-z]+$', '(?:a|b)+c', '[^,]*,[^,]*'])('%s cannot', (pattern) => {
    expect(findBlowUps(pattern)).toEqual([]);
  });

  test('has a degree that grows with the repetitions over the same characters', () => {
    expect(patternRisk('a+b').degree).toBeLessThan(patternRisk('.*.*.*b').degree);
  });
});

import { describe, expect, test } from 'vitest';
import { findBlowUps, patternRisk } from './find-blow-ups.ts';

describe('catastrophic backtracking', () => {
  test.each([
    '(\\w+\\s?)*$',
    '(a|b|[ab])+c',
    '(?:[a-z]+)*x+([a-z]*-?)+y',
    '(.*,?)+z',
    '(.*,)+z',
    '(?:ab|a|b)+z',
    '(?:x+x+)+y',
  ])('%s can cause it, and is warned of', (pattern) => {
    expect(findBlowUps(pattern)).not.toEqual([]);
  });

  test.each(['^\\d+ [a-z]+$', '(?:a|b)+c', '[^,]*,[^,]*', '(?:\\w++\\s?)*x', '([^,]*,)+', '"(?:[^"\\\\]|\\\\.)*"'])(
    '%s cannot',
    (pattern) => {
      expect(findBlowUps(pattern)).toEqual([]);
    },
  );

  test('of a power that grows with the repetitions over the same characters bounds the length of a direct match', () => {
    const lengthMax = (pattern: string) => patternRisk(pattern).lengthMax;
    expect(lengthMax('.*.*.*b')).toBeLessThan(lengthMax('a+b'));
    expect(lengthMax('\\d+\\w+\\d+x')).toBeLessThan(1000);
    expect(lengthMax('\\d+ \\w+ \\d+x')).toBeGreaterThan(10_000);
    expect(lengthMax('(.*a){30}')).toBeLessThan(30);
    expect(lengthMax('([^,]*,){30}')).toBeGreaterThan(10_000);
    expect(lengthMax('(a?){30}a{30}')).toBeLessThan(1000);
    expect(lengthMax('\\s+$')).toBeLessThan(100_000);
    expect(lengthMax('abc')).toBe(Number.POSITIVE_INFINITY);
  });
});

import { describe, expect, test } from 'vitest';
import { minimumShouldMatch } from './minimum-should-match.ts';

describe('minimum_should_match', () => {
  test.each([
    ['2', 4, 2],
    ['9', 4, 9],
    ['-1', 4, 3],
    ['-9', 4, 0],
    ['75%', 4, 3],
    ['70%', 4, 2],
    ['-25%', 4, 3],
    ['-30%', 4, 3],
    ['-25%', 2, 2],
    ['3<90%', 3, 3],
    ['3<90%', 10, 9],
    ['2<-25% 9<-3', 2, 2],
    ['2<-25% 9<-3', 8, 6],
    ['2<-25% 9<-3', 12, 9],
    ['0%', 3, 0],
  ])('%s of %i clauses is %i', (spec, count, expected) => expect(minimumShouldMatch(spec, count)).toBe(expected));

  test('refuses what is no number', () => {
    expect(() => minimumShouldMatch('many', 3)).toThrow('For input string: "many"');
  });
});

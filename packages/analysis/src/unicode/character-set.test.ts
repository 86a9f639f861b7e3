import { describe, expect, test } from 'vitest';
import { characterRuns } from './character-set.ts';

const marked = (pattern: string, text: string): string => text.replace(characterRuns(pattern), '<$&>');

describe('a set of characters as ICU writes it', () => {
  test.each([
    ['[^åäö]', 'abåcäd', '<ab>å<c>ä<d>'],
    ['[a-c 0-9]', 'ab 12 d', '<ab> <12> d'],
    ['[[:Letter:][0-9]]', 'aé1-', '<aé1>-'],
    ['[[:^Letter:]]', 'a1b', 'a<1>b'],
    ['[\\p{Script=Greek}]', 'aαβ', 'a<αβ>'],
    ['[\\u00e9\\x41\\-]', 'éA-b', '<éA->b'],
    ['[[:Greek:]]', 'aαβ', 'a<αβ>'],
    ['[[a-z]-[aeiou]]', 'abcde', 'a<bcd>e'],
    ['[[a-z]&[b-d]]', 'abcde', 'a<bcd>e'],
    ['[()*|/]', 'a(*)b', 'a<(*)>b'],
  ])('%s', (pattern, text, expected) => expect(marked(pattern, text)).toBe(expected));

  test.each(['', 'abc', '[a', '[a&b]', '[[a-z]&[b]c]', '[{ab}]', '[:Nothing:]', '[$x]', '[[a-z]--[b]]', '[b-a]'])(
    'refuses %s',
    (pattern) => expect(() => characterRuns(pattern)).toThrow('is not a set of characters that can be read'),
  );
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NameRegex, NameRegexError } from './name-regex.ts';

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      'a',
      'b',
      '_',
      '\\d',
      '\\w',
      '\\W',
      '.',
      '[a-c]',
      '[^a-c]',
      '[\\d_]',
      '[a-]',
      '^',
      '$',
      '\\b',
      '\\B',
      '\\.',
      '',
    ),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `${a}${b}`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('?', '*', '+', '{2}', '{1,}', '{0,2}', '+?', '*?'))
      .map(([a, count]) => `(?:${a})${count}`),
  ),
}));
const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '_', '1', '.', 'é', '😀'), maxLength: 6 });

describe('an expression over names', () => {
  test('matches the whole name as one that tries would', () => {
    fc.assert(
      fc.property(expression, fc.array(name, { maxLength: 10 }), (pattern, names) => {
        const [regex, meant] = [new NameRegex(pattern), new RegExp(`^(?:${pattern})$`, 'u')];
        for (const each of names) expect([each, regex.matches(each)]).toEqual([each, meant.test(each)]);
      }),
      { numRuns: 600 },
    );
  });

  test.each([
    ['(a|a)+', `${'a'.repeat(500)}b`],
    ['(a+)+b', 'a'.repeat(500)],
    ['(.*)*x', 'a'.repeat(500)],
    ['(a?){100}a{100}b', 'a'.repeat(150)],
  ])('takes one pass, whatever it is: %s', (pattern, text) => {
    expect(new NameRegex(pattern).matches(text)).toBe(false);
  });

  test.each([
    ['^profit_\\d+$', 'profit_17', true],
    ['(?i)HOST.*', 'hostname', true],
    ['\\w+_ar\\b|\\w+_ar_[A-Z]{2}\\b', 'title_ar_SA', true],
    ['a\\b.*', 'a.b', true],
    ['a\\b.*', 'ab', false],
    ['(?<part>x|y)z', 'yz', true],
    ['\\x41\\u0042', 'AB', true],
    ['[]a]+', 'a]a', true],
    ['a.b', 'a\nb', false],
  ])('%s on %s: %s', (pattern, text, matches) => {
    expect(new NameRegex(pattern).matches(text)).toBe(matches);
  });

  test.each([
    '(a',
    'a)',
    '[a',
    '*a',
    'a{2,1}',
    'a{x}',
    'a\\',
    '(a)\\1',
    '(?=a)b',
    '(?<!a)b',
    '(?>a)',
    'a++',
    '[\\b]',
    '\\p{L}',
    '[a&&b]',
    '[b-a]',
    '(a{1,999}){1,999}',
    `${'('.repeat(300)}a${')'.repeat(300)}`,
  ])('is refused when it is wrong or needs a way back: %s', (pattern) => {
    expect(() => new NameRegex(pattern)).toThrow(NameRegexError);
  });
});

import { describe, expect, test } from 'vitest';
import { JavaPattern } from './java-pattern.ts';

function replaced(pattern: string, flags: string, template: string, text: string): string {
  const compiled = new JavaPattern(pattern, flags);
  const replace = compiled.replacement(template);
  let out = '';
  let from = 0;
  for (const match of compiled.matches(text)) {
    out += text.slice(from, match.index ?? 0) + replace(match);
    from = (match.index ?? 0) + match[0].length;
  }
  return out + text.slice(from);
}

describe('a regular expression of Java', () => {
  test.each([
    ['^a|b$', '', 'ab\nab', 'Xb\naX'],
    ['^a|b$', 'MULTILINE', 'ab\nab', 'XX\nXX'],
    ['a.b', '', 'a\nb a\u2028b axb', 'a\nb a\u2028b X'],
    ['a.b', 'DOTALL', 'a\nb', 'X'],
    ['(?s:a.b)|c.d', '', 'a\nb c\nd', 'X c\nd'],
    ['A+', 'CASE_INSENSITIVE', 'aAb', 'Xb'],
    ['(?i)é', '', 'É', 'X'],
    ['a # b', 'COMMENTS', 'a a#b', 'X X#b'],
    ['a.b', 'LITERAL', 'a.b axb', 'X axb'],
    ['\\Qa.\\E.', '', 'a.b axb', 'X axb'],
    ['\\p{Punct}+', '', 'a!?b«', 'aXb«'],
    ['[\\p{Alpha}&&[^b]]', '', 'abé', 'Xbé'],
    ['\\p{IsLatin}|\\pN', '', 'aж1', 'XжX'],
    ['\\h', '', 'a\u00a0b', 'aXb'],
    ['a++b', '', 'aaab', 'X'],
    ['(a)(?<n>b)\\k<n>\\1', '', 'abba', 'X'],
    ['\\w', '', 'é_', 'éX'],
  ])('%s (%s) in %j gives %j', (pattern, flags, text, expected) => {
    expect(replaced(pattern, flags, 'X', text)).toBe(expected);
  });

  test.each([
    ['(a)(b)', '$2$1', 'ba'],
    ['(a)(b)', '$10', 'a0'],
    ['(?<x>a)(b)', `$${'{x}'}-$0`, 'a-ab'],
    ['(a)(b)', '\\$1\\\\', '$1\\'],
    ['a(c)?b', '[$1]', '[]'],
  ])('%s replaced by %s', (pattern, template, expected) =>
    expect(replaced(pattern, '', template, 'ab')).toBe(expected),
  );

  test.each([
    ['(', '', 'pattern_syntax_exception'],
    ['a{2,1', '', 'none'],
    ['a', 'NOPE', 'illegal_argument_exception'],
    ['a', 'CANON_EQ', 'illegal_argument_exception'],
  ])('%s (%s) is refused with %s', (pattern, flags, type) => {
    const make = () => new JavaPattern(pattern, flags);
    if (type === 'none') expect(make).not.toThrow();
    else expect(make).toThrow(expect.objectContaining({ type, status: 400 }));
  });

  test('names a group that it does not have', () => {
    expect(() => new JavaPattern('(a)').replacement('$2')).toThrow('No group 2');
    expect(() => new JavaPattern('(a)').replacement(`$${'{x}'}`)).toThrow();
    expect(() => new JavaPattern('(a)').replacement('$')).toThrow('Illegal group reference');
  });

  test('that would run for ever ends with a refusal', () => {
    expect(() => new JavaPattern('(a|a)+$').matches(`${'a'.repeat(200)}b`)).toThrow('ran longer than');
  });
});

import { describe, expect, test } from 'vitest';
import { compileRubyRegex } from './compile-ruby-regex.ts';

describe('regular expressions of Ruby', () => {
  test.each([
    ['a.c', 'a\nc', true],
    ['^b$', 'a\nb\nc', true],
    ['\\Ab', 'a\nb', false],
    ['\\w', 'é', false],
    ['[\\w-.]', 'é', false],
    ['[^\\w]', 'é', true],
    ['\\d', '٣', false],
    ['\\bé', 'é', true],
    ['[[:alnum:]]', 'é', true],
    ['a++b', 'aaab', true],
    ['(?>a+)ab', 'aaab', false],
    ['(?i)ERR', 'err', true],
    ['\\h+\\Z', 'beef\n', true],
    ['[]a]', ']', true],
  ])('%s on %j: %s', (pattern, text, matches) => {
    expect(compileRubyRegex(pattern).test(text)).toBe(matches);
  });

  test('number their groups as Ruby does, hidden ones left out', () => {
    expect([...('xab'.match(compileRubyRegex('(x)(?>a+)(b)')) ?? [])]).toEqual(['xab', 'x', 'b']);
  });

  test('that are none are refused', () => {
    expect(() => compileRubyRegex('a(')).toThrow('invalid regular expression [a(]');
  });
});

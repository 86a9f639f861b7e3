import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { patternRisk } from '../safety/find-blow-ups.ts';
import { compileRubyRegex, translateRubyPattern } from './compile-ruby-regex.ts';
import { rewritePattern, simplifiedPattern } from './pattern-tree.ts';

describe('regular expressions of Ruby', () => {
  test.each([
    ['a.c', 'a\nc', false],
    ['(?m)a.c', 'a\nc', true],
    ['a(?m:.)b.', 'a\nb\n', false],
    ['[a-z&&[^b]]', 'b', false],
    ['[a-z&&[^b]]', 'c', true],
    ['[^a-z&&[^b]]', 'b', true],
    ['[^\\W_]', '_', false],
    ['[^\\W_]', 'a', true],
    ['[^\\S\\n]', '\n', false],
    ['[x[a-z&&[^b]]y]z', 'yz', true],
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

  test('let the dot match a line break in grok, and where they are asked to', () => {
    expect(translateRubyPattern('a.c').exec('a\nc')).not.toBeNull();
    expect(translateRubyPattern('a.c').exec('éa\nc')).not.toBeNull();
    expect(compileRubyRegex('a.c', 'm').test('a\nc')).toBe(true);
  });

  test('never use flag v for classes', () => {
    for (const pattern of ['[^,]', '[a&&[^b]]', '[^\\W\\d]', '[^[^a]b]', '[a[^b]]', '\\X']) {
      expect(compileRubyRegex(pattern).flags).toBe('u');
    }
  });

  test('number their groups as Ruby does, hidden ones left out', () => {
    expect([...('xab'.match(compileRubyRegex('(x)(?>a+)(b)')) ?? [])]).toEqual(['xab', 'x', 'b']);
  });

  test('that are none are refused', () => {
    expect(() => compileRubyRegex('a(')).toThrow('invalid regular expression [a(]');
  });
});

test('groups have the same texts at the same positions in texts of ASCII and beyond it', () => {
  const atom = fc.constantFrom('a', '[bc]', '\\b', '\\B', '(?<n>b)', '(?<m>a|c)', '(?:ab)?', '(?<n>c+)', '[a-c]');
  const part = fc.oneof(
    atom,
    fc.tuple(atom, atom).map(([one, other]) => `(?>${one}${other}|${other})`),
    atom.map((one) => `(?<o>${one}a)?`),
  );
  const pattern = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 12 });
  fc.assert(
    fc.property(pattern, text, (source, ascii) => {
      const translated = translateRubyPattern(source);
      const groups = (found: RegExpExecArray | null) =>
        found === null ? null : [found.index, found[0], ...translated.positions.map((position) => found[position])];
      expect(groups(translated.exec(`${ascii} é`))).toEqual(groups(translated.exec(`${ascii} x`)));
    }),
    { seed: 11, numRuns: 500 },
  );
});

test('the tree of a pattern is shared by those who read it, and is the same afterwards', () => {
  const source = '(?<g0>[^\\w&&[a-z]]+|(?>x+)+)*(?<g1>\\h)?';
  const before = simplifiedPattern(source);
  const copy = structuredClone(before);
  const written = rewritePattern(source);
  translateRubyPattern(source);
  patternRisk(source);
  expect(before).toEqual(copy);
  rewritePattern('another');
  expect(rewritePattern(source)).toBe(written);
});

import {
  ALL_REGEXP_OPERATORS,
  editAutomaton,
  type LazyDfa,
  prefixAutomaton,
  regexpAutomaton,
  wildcardAutomaton,
} from '@shoal/automata';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import type { TermDictionary } from '../../format/reader/segment-reader.ts';
import { matchingTerms, ordinalsOf } from './matching-terms.ts';

const encoder = new TextEncoder();
const accepts = (dfa: LazyDfa, text: string): boolean => dfa.matches(encoder.encode(text));
const regexp = (pattern: string, ignoresCase = false, statesMax = 10_000): LazyDfa =>
  regexpAutomaton({ pattern, operators: ALL_REGEXP_OPERATORS, ignoresCase, statesMax });

/** A dictionary of just these words, that counts how many terms are looked at. */
function dictionary(words: readonly string[]): { terms: TermDictionary; sorted: string[]; looks: () => number } {
  const bytes = [...new Set(words)].map((word) => encoder.encode(word)).sort((a, b) => compareBytes(a, 0, a.length, b));
  const sorted = bytes.map((term) => new TextDecoder().decode(term));
  let looks = 0;
  const unused = (): never => {
    throw new Error('not of the dictionary');
  };
  const ceiling = (term: Uint8Array, from = 0): number => {
    let at = from;
    while (at < bytes.length && compareBytes(bytes[at]!, 0, bytes[at]!.length, term) < 0) at++;
    return at;
  };
  const term = (ordinal: number): Uint8Array => {
    looks++;
    return bytes[ordinal]!;
  };
  const stats = { docCount: 0, sumTotalTermFreq: 0, sumDocFreq: 0 };
  const rest = {
    stats,
    dictionaryBytes: 0,
    hasFreqs: false,
    hasPositions: false,
    find: unused,
    docFreq: unused,
    totalTermFreq: unused,
  };
  const unasked = { sorted: unused, prefixes: unused, prepareWalk: unused, postings: unused };
  const terms = { ...rest, size: bytes.length, ceiling, term, ...unasked };
  return { terms, sorted, looks: () => looks };
}

const LETTERS = ['a', 'b', 'c', 'ß', '日', '😀'] as const;
const wordArb = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 6 });

/** Expressions that both Lucene and JavaScript write alike, with parentheses around every part. */
const { expression: expressionArb } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(...LETTERS, '.', '[a-c]', '[^a-c]', '[a日]', '[ß-日]', '()'),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}${b})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a}|${b})`),
    fc
      .tuple(tie('expression'), fc.constantFrom('?', '*', '+', '{2}', '{1,}', '{0,2}'))
      .map(([a, count]) => `(${a})${count}`),
  ),
}));

describe('a regular expression', () => {
  test('accepts what it means', () => {
    fc.assert(
      fc.property(expressionArb, fc.array(wordArb, { maxLength: 12 }), (pattern, words) => {
        const dfa = regexp(pattern);
        const meant = new RegExp(`^(?:${pattern})$`, 'su');
        for (const word of words) expect([word, accepts(dfa, word)]).toEqual([word, meant.test(word)]);
      }),
      { numRuns: 400 },
    );
  });

  test('is not (`~`), is both (`&`)', () => {
    fc.assert(
      fc.property(expressionArb, expressionArb, fc.array(wordArb, { maxLength: 12 }), (a, b, words) => {
        const [isA, isB] = [a, b].map((pattern) => new RegExp(`^(?:${pattern})$`, 'su')) as [RegExp, RegExp];
        const [not, both] = [regexp(`~(${a})`), regexp(`(${a})&(${b})`)];
        for (const word of words) {
          expect(accepts(not, word)).toBe(!isA.test(word));
          expect(accepts(both, word)).toBe(isA.test(word) && isB.test(word));
        }
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['<1-100>', ['1', '42', '100', '007'], ['0', '101', '', 'x']],
    ['<001-100>', ['001', '042', '100'], ['1', '101', '0042']],
    ['<0-15>', ['0', '00', '5', '015'], ['', '16']],
    ['a<9-12>b', ['a9b', 'a12b', 'a010b'], ['a8b', 'a13b', 'ab']],
    ['@', ['', 'any', 'ü'], []],
    ['ab@', ['ab', 'abc'], ['a', 'b']],
    ['#', [], ['', '#']],
    ['"a.b"c', ['a.bc'], ['axbc']],
    ['a\\.b', ['a.b'], ['axb']],
    ['\\d+', ['12'], ['a', '']],
    ['\\w\\W\\s', ['a- '], ['aa ', '--x']],
    ['[\\d_-z]', ['5', '_', 'z'], ['A']],
    ['a|b|', [], []],
    ['', [''], ['a']],
    ['~(abc)', ['', 'ab', 'abcd'], ['abc']],
    ['~a~a', ['', 'aa', 'b', 'ab'], ['a', 'c'].slice(0, 1)],
    ['.+&~(.*b.*)', ['a', 'ac'], ['', 'ab']],
  ])('%s', (pattern, taken, left) => {
    if (pattern === 'a|b|') {
      expect(() => regexp(pattern)).toThrow('unexpected end-of-string');
      return;
    }
    const dfa = regexp(pattern);
    for (const word of taken) expect([word, accepts(dfa, word)]).toEqual([word, true]);
    for (const word of left) expect([word, accepts(dfa, word)]).toEqual([word, false]);
  });

  test('of letters matches in both cases when it ignores case', () => {
    const dfa = regexp('ab[c]ß', true);
    for (const word of ['abcß', 'ABCß', 'aBcß']) expect(accepts(dfa, word)).toBe(true);
    expect(accepts(dfa, 'abcẞ')).toBe(false);
  });

  test.each([
    ['a(b', "expected ')' at position 3"],
    ['a)', 'end-of-string expected at position 1'],
    ['[a', "expected ']' at position 2"],
    ['a{x}', 'integer expected at position 2'],
    ['a{1', "expected '}' at position 3"],
    ['"a', "expected '\"' at position 2"],
    ['<1-x>', 'interval syntax error at position 4'],
    ['<a>', "'a' not found"],
    ['a{2,1}', 'invalid repetition range(out of order): 2..1'],
    ['\\y', 'invalid character class \\121'],
    ['a\\', 'unexpected end-of-string'],
    ['(a|b)*a(a|b){20}', 'more than'],
    ['(a{1000}){1000}', 'more than'],
    ['((((((a{50}){50}){50}){50}){50}){50}){50}', 'more than'],
  ])('%s is refused', (pattern, reason) => expect(() => regexp(pattern)).toThrow(reason));

  test('may take as many states as are allowed', () => {
    expect(() => regexp('abcdefghij', false, 1)).toThrow('more than');
    expect(accepts(regexp('abcdefghij', false, 20), 'abcdefghij')).toBe(true);
  });
});

/** Distance with swaps of neighbours, from its definition. */
function distance(a: readonly string[], b: readonly string[]): number {
  const d = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let best = Math.min(d[i - 1]![j]! + 1, d[i]![j - 1]! + 1, d[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) best = Math.min(best, d[i - 2]![j - 2]! + 1);
      d[i]![j] = best;
    }
  }
  return d[a.length]![b.length]!;
}

test('an automaton of edits accepts what is near enough', () => {
  fc.assert(
    fc.property(
      wordArb,
      fc.array(wordArb, { maxLength: 12 }),
      fc.nat(2),
      fc.nat(3),
      (word, others, maxEdits, prefix) => {
        const dfa = editAutomaton({ word, maxEdits, prefixLength: prefix, hasTranspositions: true });
        const [head, tail] = [[...word].slice(0, prefix).join(''), [...word].slice(prefix)];
        for (const other of others) {
          const isNear = other.startsWith(head) && distance(tail, [...other].slice([...head].length)) <= maxEdits;
          expect([other, accepts(dfa, other)]).toEqual([other, isNear]);
        }
      },
    ),
    { numRuns: 400 },
  );
});

describe('a short pattern of a huge automaton', () => {
  test.each([
    '(a{1,100}){1,100}',
    '((a{1,20}){1,20}){1,20}',
    '[ab]*a[ab]{20}',
    '(a?){200}(b?){200}(a?){200}c',
    '~(~([ab]*a[ab]{12}))&~(~([ab]*b[ab]{12}))',
    'a{1,2147483647}',
    '((((a{1,99}){1,99}){1,99}){1,99}){1,99}',
  ])('is refused with bounded work: %s', (pattern) => {
    expect(() => regexp(pattern)).toThrow(expect.objectContaining({ type: 'too_complex_to_determinize_exception' }));
  });

  test.each(['[ab]*a[ab]{10}', '(ab?){0,400}c', '(a{1,9}){1,9}', '.*foo.*bar.*', '~(foo.*)&.{3,40}'])(
    'that an index takes is taken: %s',
    (pattern) => {
      expect(regexp(pattern).size).toBeGreaterThan(1);
    },
  );

  test('of many wildcards ends, too', () => {
    const many = '*a'.repeat(10_000);
    expect(() => accepts(wildcardAutomaton(many, false), many)).toThrow(/^Determinizing automaton/);
    const some = '*a'.repeat(5_000);
    expect(() => accepts(wildcardAutomaton(some, false), some)).toThrow(/^Determinizing automaton/);
    expect(accepts(wildcardAutomaton('*a'.repeat(40), false), 'ba'.repeat(40))).toBe(true);
  });
});

describe('terms of a dictionary', () => {
  const automatonArb = fc.oneof(
    expressionArb.map((pattern) => regexp(pattern)),
    fc
      .string({ unit: fc.constantFrom('a', 'b', '日', '*', '?'), maxLength: 5 })
      .map((p) => wildcardAutomaton(p, false)),
    wordArb.map((word) => editAutomaton({ word, maxEdits: 1, prefixLength: 0, hasTranspositions: true })),
    wordArb.map((word) => prefixAutomaton(word, false)),
  );

  test('are all that the automaton accepts, in order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(wordArb, { maxLength: 60 }), automatonArb, (words, dfa) => {
        const { terms, sorted } = dictionary(words);
        const found = [...ordinalsOf(matchingTerms(terms, dfa))].map((ordinal) => sorted[ordinal]!);
        expect(found).toEqual(sorted.filter((word) => accepts(dfa, word)));
      }),
      { numRuns: 600 },
    );
  });

  test('that cannot match are not looked at', () => {
    const words = Array.from({ length: 10_000 }, (_, i) => `w${String(i).padStart(5, '0')}`);
    const looksOf = (dfa: LazyDfa): [number, number] => {
      const { terms, looks } = dictionary(words);
      return [[...ordinalsOf(matchingTerms(terms, dfa))].length, looks()];
    };
    expect(looksOf(prefixAutomaton('w012', false))).toEqual([100, 4]);
    const [found, looks] = looksOf(regexp('w0[37]12.'));
    expect(found).toBe(20);
    expect(looks).toBeLessThan(40);
    expect(
      looksOf(editAutomaton({ word: 'w01234', maxEdits: 1, prefixLength: 1, hasTranspositions: true }))[1],
    ).toBeLessThan(400);
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberGroups } from '../translate/number-groups.ts';
import { simplifiedPattern } from '../translate/pattern-tree.ts';
import { type Alphabet, alphabetOf } from './alphabet.ts';
import { runDegree, runsOf } from './one-character-runs.ts';

/** Each of the 129 characters is a letter of its own. */
const FULL: Alphabet = {
  size: 129,
  lettersOf: (set) => Uint8Array.from({ length: 129 }, (_, index) => Number((set >> BigInt(index)) & 1n)),
};

const bodyOf = (pattern: string) => simplifiedPattern(numberGroups(pattern).source).body;

test.each([
  ['abc', 4],
  ['[a-z]+ [a-c]', 4],
  ['(?=x)(?:y|\\d)*', 4],
  ['.', 1],
])('%s tells %i letters apart', (pattern, size) => {
  expect(alphabetOf(bodyOf(pattern)).size).toBe(size);
});

test('what is found of the letters of a pattern is found of all characters', () => {
  const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '\\d', '\\w', '.', '[[:upper:]]', '(?:ab|b)', '(?:(?=a)b)');
  const times = fc.constantFrom('', '?', '+', '*', '{2,4}', '{3}', '++', '{0,40}');
  const repeated = fc.tuple(atom, times).map(([one, count]) => one + count);
  const group = fc.tuple(fc.array(repeated, { minLength: 1, maxLength: 3 }), times).map(([parts, count]) => {
    return `(?:${parts.join('')}|a)${count}`;
  });
  const pattern = fc.array(fc.oneof(repeated, group), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(pattern, (source) => {
      for (const { body } of bodyOf(source)) {
        const [own, all] = [runsOf(body, alphabetOf(bodyOf(source))), runsOf(body, FULL)];
        expect(runDegree(own, false)).toBe(runDegree(all, false));
        expect([own.flexible, own.ambiguous]).toEqual([all.flexible, all.ambiguous]);
      }
    }),
    { seed: 13, numRuns: 500 },
  );
});

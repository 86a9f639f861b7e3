import fc from 'fast-check';
import { expect, test } from 'vitest';
import { automatonMatches, tokenAutomaton } from './automaton-matches.ts';

const found = (pattern: string, text: string): readonly string[] =>
  [...automatonMatches(tokenAutomaton(pattern), text)].map(({ start, end }) => text.slice(start, end));

test('matches are the longest at each position, and hold whole code points', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '日', '😀'), maxLength: 20 });
  fc.assert(
    fc.property(text, (value) => {
      expect(found('a+|é.|日|日b|😀{2}', value)).toEqual(value.match(/a+|é.|日b?|😀{2}/gsu) ?? []);
    }),
  );
});

test('a pattern that reads on and on without a match is refused', () => {
  expect(() => found('a*b', 'a'.repeat(10_000))).toThrow('pattern reads more than');
  expect(found('a*b', `${'a'.repeat(1_000)}b`)).toHaveLength(1);
});

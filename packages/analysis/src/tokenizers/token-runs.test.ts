import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenizeRuns } from './token-runs.ts';

const WORD = /\p{L}/u;
const ASTRAL = '\u{10400}';

function tokensOf(text: string, maxTokenLength: number): readonly (readonly [string, number, number])[] {
  const tokens: (readonly [string, number, number])[] = [];
  tokenizeRuns(text, WORD, maxTokenLength, (term, start, end) => tokens.push([term, start, end]));
  return tokens;
}

/** Takes one character after the other. */
function plainTokensOf(text: string, maxTokenLength: number): readonly (readonly [string, number, number])[] {
  const tokens: (readonly [string, number, number])[] = [];
  let term = '';
  let at = 0;
  const close = (): void => {
    if (term !== '') tokens.push([term, at - term.length, at]);
    term = '';
  };
  for (const character of text) {
    if (!WORD.test(character)) close();
    else term += character;
    at += character.length;
    if (term.length >= maxTokenLength) close();
  }
  close();
  return tokens;
}

test('runs are cut as soon as they are long enough, and no pair is', () => {
  const texts = fc.array(fc.constantFrom('a', 'é', ASTRAL, ' ', '1', '\u{1f600}'), { maxLength: 40 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 6 }), (characters, maxTokenLength) => {
      const text = characters.join('');
      expect(tokensOf(text, maxTokenLength)).toEqual(plainTokensOf(text, maxTokenLength));
    }),
  );
});

test('a run of millions of characters beyond the basic plane is cut as any other', () => {
  const count = 8_000_000;
  expect(tokensOf(ASTRAL.repeat(count), 256)).toHaveLength((2 * count) / 256);
});

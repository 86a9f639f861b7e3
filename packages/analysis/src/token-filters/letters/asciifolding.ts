/**
 * Token filter `asciifolding`: Latin letters, digits and punctuation become their ASCII equivalents.
 *
 * It folds the characters of Lucene's table alone. Unicode decomposition would also take the marks off other scripts,
 * where they make another letter (が is not か).
 */
import { lazy } from '@shoal/core';
import { readFlag } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenConsumer } from '../../tokens/token-consumer.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';
import { ASCII_FOLDINGS } from './ascii-foldings.ts';

const asciiByCharacter = lazy(
  (): ReadonlyMap<string, string> =>
    new Map(
      ASCII_FOLDINGS.flatMap(([ascii, characters]) => [...characters].map((character) => [character, ascii] as const)),
    ),
);

function fold(term: string): string {
  return term.replace(/[^\0-\x7f]/gu, (character) => asciiByCharacter().get(character) ?? character);
}

/** Emits the folded term and, where folding changed it, the original at the same position. */
function preservingConsumer(next: TokenConsumer): TokenConsumer {
  return (term, start, end, increment, type, attributes) => {
    const folded = fold(term);
    next(folded, start, end, increment, type, attributes);
    if (folded !== term) next(term, start, end, 0, type, attributes);
  };
}

export function asciifoldingFilter(): TokenFilter {
  return mapLetters('asciifolding', fold);
}

export const asciifolding: TokenFilterType = {
  type: 'asciifolding',
  options: ['preserve_original'],
  create: (options) =>
    readFlag(options, 'preserve_original', false)
      ? { name: 'asciifolding', into: preservingConsumer, normalize: fold }
      : asciifoldingFilter(),
};

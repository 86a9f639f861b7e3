/**
 * Token filter `stop`: drops stop words, the English ones unless a list is given.
 */
import { type ComponentOptions, readFlag, readList } from '../tokens/component-options.ts';
import type { TokenFilterType } from '../tokens/component-type.ts';
import { toLowerCase } from '../tokens/lower-case.ts';
import { dropTerms } from '../tokens/term-filters.ts';
import type { TokenFilter } from '../tokens/token-stage.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';

function stopFilter(words: readonly string[], ignoresCase = false): TokenFilter {
  const set = new Set(ignoresCase ? words.map(toLowerCase) : words);
  const lengthMax = Math.max(0, ...words.map((word) => word.length));
  // Most words are longer than any stop word: they need no look-up.
  return dropTerms('stop', (term) => term.length <= lengthMax && set.has(ignoresCase ? toLowerCase(term) : term));
}

/** One stop filter, or none where there are no words. */
export function stopFilters(words: readonly string[]): readonly TokenFilter[] {
  return words.length === 0 ? [] : [stopFilter(words)];
}

/** Option `stopwords`: `_english_`, `_none_` or a list; `fallback` when it is not given. */
export function readStopWords(options: ComponentOptions, fallback: readonly string[]): readonly string[] {
  const words = readList(options, 'stopwords');
  if (words === null) return fallback;
  if (words.length !== 1) return words;
  if (words[0] === '_english_') return ENGLISH_STOP_WORDS;
  return words[0] === '_none_' ? [] : words;
}

export const stop: TokenFilterType = {
  type: 'stop',
  create: (options) => stopFilter(readStopWords(options, ENGLISH_STOP_WORDS), readFlag(options, 'ignore_case', false)),
};

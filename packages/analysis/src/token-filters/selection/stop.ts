/**
 * Token filter `stop`: drops stop words, the English ones unless a list is given.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readFlag, readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { toLowerCase } from '../../tokens/lower-case.ts';
import { dropTerms } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';
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

/** Stop words by the names that `stopwords` may have in place of words. */
const NAMED_LISTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['_english_', ENGLISH_STOP_WORDS],
  ['_none_', []],
]);

/** Name of a language's list, as Elasticsearch writes them. */
const LIST_NAME = /^_[a-z]+_$/;

/** Option `stopwords`: words and the lists `_english_` and `_none_`; `fallback` when it is not given. */
export function readStopWords(options: ComponentOptions, fallback: readonly string[]): readonly string[] {
  const words = readList(options, 'stopwords');
  return words === null ? fallback : words.flatMap((word) => NAMED_LISTS.get(word) ?? [word]);
}

/**
 * Refuses lists of languages that are not here: as a plain word the name would match nothing.
 *
 * @throws ShoalError illegal_argument_exception
 */
export function checkStopWordLists(options: ComponentOptions): void {
  for (const word of readList(options, 'stopwords') ?? []) {
    if (LIST_NAME.test(word) && !NAMED_LISTS.has(word)) {
      throw illegalArgument(
        `stop word list [${word}] is not supported, only [${[...NAMED_LISTS.keys()].join(', ')}] and lists of words`,
      );
    }
  }
}

export const stop: TokenFilterType = {
  type: 'stop',
  options: ['stopwords', 'ignore_case'],
  create: (options) => stopFilter(readStopWords(options, ENGLISH_STOP_WORDS), readFlag(options, 'ignore_case', false)),
};

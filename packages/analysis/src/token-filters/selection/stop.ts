/**
 * Token filter `stop`: drops stop words, the English ones unless a list is given.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readFlag, readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { toLowerCase } from '../../tokens/letter-case.ts';
import { dropTerms } from '../../tokens/term-filters.ts';
import type { Token } from '../../tokens/token.ts';
import type { StreamEnd, TokenFilter } from '../../tokens/token-stage.ts';
import { ENGLISH_STOP_WORDS, STOP_WORD_LANGUAGES, stopWordsOf } from './stop-words.ts';

function stopWordTest(words: readonly string[], ignoresCase: boolean): (term: string) => boolean {
  const set = new Set(ignoresCase ? words.map(toLowerCase) : words);
  const lengthMax = Math.max(0, ...words.map((word) => word.length));
  // Most words are longer than any stop word: they need no look-up.
  return (term) => term.length <= lengthMax && set.has(ignoresCase ? toLowerCase(term) : term);
}

/** One stop filter, or none where there are no words. */
export function stopFilters(words: readonly string[]): readonly TokenFilter[] {
  return words.length === 0 ? [] : [dropTerms('stop', stopWordTest(words, false))];
}

/** Name of a language's list, as Elasticsearch writes them. */
const LIST_NAME = /^_([a-z]+)_$/;

/** Name of the empty list. */
const NONE = '_none_';

/** The words of a list by its name; null when the text is no name of one. */
function namedList(text: string): readonly string[] | null {
  if (text === NONE) return [];
  const [, language] = LIST_NAME.exec(text) ?? [];
  return language === undefined ? null : stopWordsOf(language);
}

/** Option `stopwords`: words, and lists by name (`_english_`, `_none_`); `fallback` when it is not given. */
export function readStopWords(options: ComponentOptions, fallback: readonly string[]): readonly string[] {
  const words = readList(options, 'stopwords');
  return words === null ? fallback : words.flatMap((word) => namedList(word) ?? [word]);
}

/**
 * Refuses lists of languages that are not here: as a plain word the name would match nothing.
 *
 * @throws ShoalError illegal_argument_exception
 */
export function checkStopWordLists(options: ComponentOptions): void {
  for (const word of readList(options, 'stopwords') ?? []) {
    if (LIST_NAME.test(word) && namedList(word) === null) {
      throw illegalArgument(
        `stop word list [${word}] is not supported, only [${[...STOP_WORD_LANGUAGES, 'none'].map((name) => `_${name}_`).join(', ')}] and lists of words`,
      );
    }
  }
}

export const stop: TokenFilterType = {
  type: 'stop',
  options: ['stopwords', 'ignore_case', 'remove_trailing'],
  create: (options) => {
    const isStopWord = stopWordTest(
      readStopWords(options, ENGLISH_STOP_WORDS),
      readFlag(options, 'ignore_case', false),
    );
    if (readFlag(options, 'remove_trailing', true)) return dropTerms('stop', isStopWord);
    return { name: 'stop', shows: ['keyword'], transform: (tokens, end) => withTrailing(tokens, end, isStopWord) };
  },
};

/** A stop word that the text ends with stays: who types it may not have finished the word. */
function* withTrailing(
  tokens: Iterable<Token>,
  end: StreamEnd,
  isStopWord: (term: string) => boolean,
): Iterable<Token> {
  let skipped = 0;
  let waiting: Token | null = null;
  for (const token of tokens) {
    if (waiting !== null) skipped += waiting.increment;
    waiting = null;
    if (isStopWord(token.term)) waiting = token;
    else {
      yield { ...token, increment: token.increment + skipped };
      skipped = 0;
    }
  }
  if (waiting === null) return;
  if (waiting.end === end.offset) yield { ...waiting, increment: waiting.increment + skipped, isKeyword: true };
  else end.increment += waiting.increment + skipped;
}

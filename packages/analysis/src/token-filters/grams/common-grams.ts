/**
 * Token filter `common_grams`: pairs of words of which one is common, beside the words, so that phrases with them are quick.
 *
 * With `query_mode` a word that is part of a pair is there only as the pair.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readFlag, readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { toLowerCase } from '../../tokens/letter-case.ts';
import type { Token } from '../../tokens/token.ts';

export const commonGrams: TokenFilterType = {
  type: 'common_grams',
  options: ['common_words', 'ignore_case', 'query_mode'],
  undeclared: { common_words: '' },
  create: (options) => {
    const isQuery = readFlag(options, 'query_mode', false);
    const isCommon = readTest(options);
    return {
      name: 'common_grams',
      inSynonymRules: 'refused',
      transform: (tokens) => (isQuery ? forQuery(withGrams(tokens, isCommon)) : withGrams(tokens, isCommon)),
    };
  },
};

function readTest(options: ComponentOptions): (term: string) => boolean {
  const words = readList(options, 'common_words');
  const ignoresCase = readFlag(options, 'ignore_case', false);
  if (words === null) {
    throw illegalArgument(
      'missing or empty [common_words] or [common_words_path] configuration for common_grams token filter',
    );
  }
  const set = new Set(ignoresCase ? words.map(toLowerCase) : words);
  return (term) => set.has(ignoresCase ? toLowerCase(term) : term);
}

function* withGrams(tokens: Iterable<Token>, isCommon: (term: string) => boolean): Iterable<Token> {
  let previous: Token | null = null;
  for (const token of tokens) {
    if (previous !== null && (isCommon(previous.term) || isCommon(token.term))) {
      yield {
        term: `${previous.term}_${token.term}`,
        start: previous.start,
        end: token.end,
        increment: 0,
        type: 'gram',
        positionLength: 2,
        isKeyword: false,
        payload: null,
      };
    }
    yield token;
    previous = token;
  }
}

/** Leaves out each word that a pair begins with, and the last word when a pair ends with it. */
function* forQuery(tokens: Iterable<Token>): Iterable<Token> {
  let previous: Token | null = null;
  let emittedType = '';
  for (const token of tokens) {
    if (previous !== null && token.type !== 'gram') {
      yield previous.type === 'gram' ? { ...previous, increment: 1, positionLength: 1 } : previous;
      emittedType = previous.type;
    }
    previous = token;
  }
  if (previous !== null && emittedType !== 'gram') {
    yield previous.type === 'gram' ? { ...previous, increment: 1, positionLength: 1 } : previous;
  }
}

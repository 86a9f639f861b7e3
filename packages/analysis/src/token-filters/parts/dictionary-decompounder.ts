/**
 * Token filter `dictionary_decompounder`: words of a list that a longer word is made of, at its position.
 */
import { illegalArgument } from '@shoal/core';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { TokenConsumer } from '../../tokens/token-consumer.ts';
import { DECOMPOUNDER_OPTIONS, type DecompounderOptions, readDecompounderOptions } from './decompounder-options.ts';

/** Words that one word is taken apart into. */
const SUBWORDS_MAX = 10_000;

export const dictionaryDecompounder: TokenFilterType = {
  type: 'dictionary_decompounder',
  options: DECOMPOUNDER_OPTIONS,
  needsOptions: true,
  create: (options, _context, name) => {
    const parsed = readDecompounderOptions(options, name);
    return { name: 'dictionary_decompounder', inSynonymRules: 'refused', into: (next) => consumer(next, parsed) };
  },
};

function consumer(next: TokenConsumer, options: DecompounderOptions): TokenConsumer {
  return (term, start, end, increment, type, attributes) => {
    next(term, start, end, increment, type, attributes);
    if (term.length < options.wordMin) return;
    let left = SUBWORDS_MAX;
    for (const word of subwordsOf(term, options)) {
      if (--left < 0) throw illegalArgument(`a word is made of more than [${SUBWORDS_MAX}] words`);
      next(word, start, end, 0, type, attributes);
    }
  };
}

function* subwordsOf(
  term: string,
  { words, subwordMin, subwordMax, onlyLongest }: DecompounderOptions,
): Iterable<string> {
  for (let from = 0; from <= term.length - subwordMin; from++) {
    let longest: string | null = null;
    for (let length = subwordMin; length <= Math.min(subwordMax, term.length - from); length++) {
      const part = term.slice(from, from + length);
      if (!words.has(part)) continue;
      if (onlyLongest) longest = part;
      else yield part;
    }
    if (longest !== null) yield longest;
  }
}

/**
 * Token filter `dictionary_decompounder`: words of a list that a longer word is made of, at its position.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readFlag, readInteger, readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { TokenConsumer } from '../../tokens/token-consumer.ts';

interface DecompounderOptions {
  /** In lower case where case is ignored. */
  readonly words: ReadonlySet<string>;
  /** Shortest word that is taken apart. */
  readonly wordMin: number;
  readonly subwordMin: number;
  readonly subwordMax: number;
  readonly onlyLongest: boolean;
}

/** Words that one word is taken apart into. */
const SUBWORDS_MAX = 10_000;

export const dictionaryDecompounder: TokenFilterType = {
  type: 'dictionary_decompounder',
  options: ['word_list', 'min_word_size', 'min_subword_size', 'max_subword_size', 'only_longest_match'],
  needsOptions: true,
  create: (options, _context, name) => {
    const parsed = readOptions(options, name);
    return { name: 'dictionary_decompounder', inSynonymRules: 'refused', into: (next) => consumer(next, parsed) };
  },
};

function readOptions(options: ComponentOptions, name: string): DecompounderOptions {
  const words = readList(options, 'word_list');
  const wordMin = readInteger(options, 'min_word_size', 5);
  const subwordMin = readInteger(options, 'min_subword_size', 2);
  const subwordMax = readInteger(options, 'max_subword_size', 15);
  if (wordMin < 0) throw illegalArgument('minWordSize cannot be negative');
  if (subwordMin < 0) throw illegalArgument('minSubwordSize cannot be negative');
  if (subwordMax < 0) throw illegalArgument('maxSubwordSize cannot be negative');
  const onlyLongest = readFlag(options, 'only_longest_match', false);
  if (words === null) {
    throw illegalArgument(`word_list must be provided for [${name}], either as a path to a file, or directly`);
  }
  return { words: new Set(words), wordMin, subwordMin, subwordMax, onlyLongest };
}

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

/**
 * Tokenizer `ngram`: every part of a text that is `min_gram` to `max_gram` code points long, from left to right.
 */

import type { TokenizerType } from '../tokens/component-type.ts';
import { checkGramDifference, type GramLengths, readGramLengths } from '../tokens/gram-lengths.ts';
import type { TokenConsumer } from '../tokens/token-consumer.ts';
import { readTokenChars } from './token-chars.ts';

export const ngramTokenizer: TokenizerType = {
  type: 'ngram',
  aliases: ['nGram'],
  options: ['min_gram', 'max_gram', 'token_chars', 'custom_token_chars'],
  create: (options, { settings }) => {
    const lengths = readGramLengths(options);
    checkGramDifference(lengths, settings);
    const runs = readTokenChars(options);
    return {
      name: 'ngram',
      tokenize(text, consume) {
        if (runs === null) emitGrams(text, 0, lengths, consume);
        else for (const run of text.matchAll(runs)) emitGrams(run[0], run.index, lengths, consume);
      },
    };
  },
};

/** @param base offset of `run` in the analysed text */
function emitGrams(run: string, base: number, { min, max }: GramLengths, consume: TokenConsumer): void {
  for (let start = 0; start < run.length; start += unitsAt(run, start)) {
    let end = start;
    for (let count = 1; count <= max && end < run.length; count++) {
      end += unitsAt(run, end);
      if (count >= min) consume(run.slice(start, end), base + start, base + end, 1, 'word');
    }
  }
}

/** UTF-16 units of the code point at `at`. */
export function unitsAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

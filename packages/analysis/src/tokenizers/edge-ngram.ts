/**
 * Tokenizer `edge_ngram`: the first `min_gram` to `max_gram` code points of a text, or of each run of `token_chars` in it.
 */

import type { TokenizerType } from '../tokens/component-type.ts';
import { type GramLengths, readGramLengths } from '../tokens/gram-lengths.ts';
import type { TokenConsumer } from '../tokens/token-consumer.ts';
import { unitsAt } from './ngram.ts';
import { readTokenChars } from './token-chars.ts';

export const edgeNgramTokenizer: TokenizerType = {
  type: 'edge_ngram',
  aliases: ['edgeNGram'],
  options: ['min_gram', 'max_gram', 'token_chars', 'custom_token_chars'],
  create: (options) => {
    const lengths = readGramLengths(options);
    const runs = readTokenChars(options);
    return {
      name: 'edge_ngram',
      tokenize(text, consume) {
        if (runs === null) emitEdgeGrams(text, 0, lengths, consume);
        else for (const run of text.matchAll(runs)) emitEdgeGrams(run[0], run.index, lengths, consume);
      },
    };
  },
};

function emitEdgeGrams(run: string, base: number, { min, max }: GramLengths, consume: TokenConsumer): void {
  let end = 0;
  for (let count = 1; count <= max && end < run.length; count++) {
    end += unitsAt(run, end);
    if (count >= min) consume(run.slice(0, end), base, base + end, 1, 'word');
  }
}

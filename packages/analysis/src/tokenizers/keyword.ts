/**
 * Tokenizer `keyword`: the whole text is one token.
 */
import type { TokenizerType } from '../tokens/component-type.ts';
import type { Tokenizer } from '../tokens/token-stage.ts';

export function createKeywordTokenizer(): Tokenizer {
  return {
    name: 'keyword',
    tokenize(text, consume) {
      if (text.length > 0) consume(text, 0, text.length, 1, 'word');
    },
  };
}

export const keywordTokenizer: TokenizerType = {
  type: 'keyword',
  options: [],
  create: createKeywordTokenizer,
};

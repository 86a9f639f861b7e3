/**
 * Tokenizer `lowercase`: runs of letters in lower case.
 */
import type { TokenizerType } from '../tokens/component-type.ts';
import { toLowerCase } from '../tokens/letter-case.ts';
import type { Tokenizer } from '../tokens/token-stage.ts';
import { MAX_TOKEN_LENGTH, maxTokenLength, tokenizeRuns } from './token-runs.ts';

export function createLowercaseTokenizer(maxTokenLength: number = MAX_TOKEN_LENGTH): Tokenizer {
  return {
    name: 'lowercase',
    normalize: toLowerCase,
    tokenize: (text, consume) =>
      tokenizeRuns(text, /\p{L}/u, maxTokenLength, (term, start, end, increment, type) =>
        consume(toLowerCase(term), start, end, increment, type),
      ),
  };
}

export const lowercaseTokenizer: TokenizerType = {
  type: 'lowercase',
  options: ['max_token_length'],
  create: (options) => createLowercaseTokenizer(maxTokenLength(options)),
};

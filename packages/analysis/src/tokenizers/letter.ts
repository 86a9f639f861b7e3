/**
 * Tokenizer `letter`: runs of letters.
 */
import type { TokenizerType } from '../tokens/component-type.ts';
import type { Tokenizer } from '../tokens/token-stage.ts';
import { maxTokenLength, tokenizeRuns } from './token-runs.ts';

function createLetterTokenizer(maxTokenLength: number): Tokenizer {
  return {
    name: 'letter',
    tokenize: (text, consume) => tokenizeRuns(text, /\p{L}/u, maxTokenLength, consume),
  };
}

export const letterTokenizer: TokenizerType = {
  type: 'letter',
  options: ['max_token_length'],
  create: (options) => createLetterTokenizer(maxTokenLength(options)),
};

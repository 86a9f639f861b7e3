/**
 * Tokenizer `whitespace`.
 */
import type { TokenizerType } from '../tokens/component-type.ts';
import type { Tokenizer } from '../tokens/token-stage.ts';
import { MAX_TOKEN_LENGTH, maxRunLength, tokenizeRuns } from './token-runs.ts';

/** Not white space to Java, which counts the no-break spaces as part of a word. */
const WORD_CHARACTER = /[^\s]|[\u00a0\u2007\u202f\ufeff]/u;

/** Cuts at white space as Java knows it: no-break spaces do not separate. */
export function createWhitespaceTokenizer(maxTokenLength: number = MAX_TOKEN_LENGTH): Tokenizer {
  return {
    name: 'whitespace',
    tokenize: (text, consume) => tokenizeRuns(text, WORD_CHARACTER, maxTokenLength, consume),
  };
}

export const whitespaceTokenizer: TokenizerType = {
  type: 'whitespace',
  options: ['max_token_length'],
  create: (options) => createWhitespaceTokenizer(maxRunLength(options)),
};

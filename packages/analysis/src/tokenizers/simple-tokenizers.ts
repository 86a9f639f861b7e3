/**
 * Tokenizers that cut at one kind of character: keyword (nowhere), whitespace, letter, lowercase.
 */

import { toLowerCase } from '../token-filters/token-filters.ts';
import type { TokenConsumer } from '../tokens/analyzer.ts';
import type { Tokenizer } from '../tokens/token-stage.ts';
import { MAX_TOKEN_LENGTH } from './standard-tokenizer.ts';

export function createKeywordTokenizer(): Tokenizer {
  return {
    name: 'keyword',
    tokenize(text, consume) {
      if (text.length > 0) consume(text, 0, text.length, 1, 'word');
    },
  };
}

/** Not white space to Java, which counts the no-break spaces as part of a word. */
const WORD_CHARACTER = /[^\s]|[\u00a0\u2007\u202f\ufeff]/u;

/** Cuts at white space as Java knows it: no-break spaces do not separate. */
export function createWhitespaceTokenizer(maxTokenLength: number = MAX_TOKEN_LENGTH): Tokenizer {
  return {
    name: 'whitespace',
    tokenize: (text, consume) => tokenizeRuns(text, WORD_CHARACTER, maxTokenLength, consume),
  };
}

export function createLetterTokenizer(maxTokenLength: number = MAX_TOKEN_LENGTH): Tokenizer {
  return {
    name: 'letter',
    tokenize: (text, consume) => tokenizeRuns(text, /\p{L}/u, maxTokenLength, consume),
  };
}

export function createLowercaseTokenizer(maxTokenLength: number = MAX_TOKEN_LENGTH): Tokenizer {
  return {
    name: 'lowercase',
    tokenize: (text, consume) =>
      tokenizeRuns(text, /\p{L}/u, maxTokenLength, (term, start, end, increment, type) =>
        consume(toLowerCase(term), start, end, increment, type),
      ),
  };
}

/** Tokens are runs of characters that `part` matches, cut after `maxTokenLength`. */
function tokenizeRuns(text: string, part: RegExp, maxTokenLength: number, consume: TokenConsumer): void {
  const run = new RegExp(`(?:${part.source}){1,${maxTokenLength}}`, `${part.flags}g`);
  for (const match of text.matchAll(run)) {
    consume(match[0], match.index, match.index + match[0].length, 1, 'word');
  }
}

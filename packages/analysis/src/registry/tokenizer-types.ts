/**
 * Tokenizers there are, one line each.
 */
import { keywordTokenizer } from '../tokenizers/keyword.ts';
import { letterTokenizer } from '../tokenizers/letter.ts';
import { lowercaseTokenizer } from '../tokenizers/lowercase.ts';
import { standardTokenizer } from '../tokenizers/standard.ts';
import { whitespaceTokenizer } from '../tokenizers/whitespace.ts';
import type { TokenizerType } from '../tokens/component-type.ts';

export const TOKENIZER_TYPES: readonly TokenizerType[] = [
  keywordTokenizer,
  letterTokenizer,
  lowercaseTokenizer,
  standardTokenizer,
  whitespaceTokenizer,
];

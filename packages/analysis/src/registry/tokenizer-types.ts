/**
 * Tokenizers there are, one line each.
 */
import { charGroupTokenizer } from '../tokenizers/char-group.ts';
import { classicTokenizer } from '../tokenizers/classic.ts';
import { edgeNgramTokenizer } from '../tokenizers/edge-ngram.ts';
import { keywordTokenizer } from '../tokenizers/keyword.ts';
import { letterTokenizer } from '../tokenizers/letter.ts';
import { lowercaseTokenizer } from '../tokenizers/lowercase.ts';
import { ngramTokenizer } from '../tokenizers/ngram.ts';
import { pathHierarchyTokenizer } from '../tokenizers/path-hierarchy.ts';
import { patternTokenizer } from '../tokenizers/pattern.ts';
import { simplePatternTokenizer } from '../tokenizers/simple-pattern.ts';
import { simplePatternSplitTokenizer } from '../tokenizers/simple-pattern-split.ts';
import { standardTokenizer } from '../tokenizers/standard.ts';
import { thaiTokenizer } from '../tokenizers/thai.ts';
import { uaxUrlEmailTokenizer } from '../tokenizers/uax-url-email.ts';
import { whitespaceTokenizer } from '../tokenizers/whitespace.ts';
import type { TokenizerType } from '../tokens/component-type.ts';

export const TOKENIZER_TYPES: readonly TokenizerType[] = [
  charGroupTokenizer,
  edgeNgramTokenizer,
  keywordTokenizer,
  letterTokenizer,
  lowercaseTokenizer,
  ngramTokenizer,
  pathHierarchyTokenizer,
  patternTokenizer,
  standardTokenizer,
  thaiTokenizer,
  whitespaceTokenizer,
  classicTokenizer,
  simplePatternTokenizer,
  simplePatternSplitTokenizer,
  uaxUrlEmailTokenizer,
];

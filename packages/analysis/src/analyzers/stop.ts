/**
 * Analyzer `stop`: runs of letters in lower case without stop words.
 */
import { readStopWords, stopFilters } from '../token-filters/selection/stop.ts';
import { ENGLISH_STOP_WORDS } from '../token-filters/selection/stop-words.ts';
import { createLowercaseTokenizer } from '../tokenizers/lowercase.ts';
import { maxTokenLength } from '../tokenizers/token-runs.ts';
import type { AnalyzerType } from '../tokens/component-type.ts';
import { chainAnalyzer } from './chain-analyzer.ts';

export const stopAnalyzer: AnalyzerType = {
  type: 'stop',
  options: ['max_token_length', 'stopwords'],
  create: (name, options) =>
    chainAnalyzer(
      name,
      createLowercaseTokenizer(maxTokenLength(options)),
      stopFilters(readStopWords(options, ENGLISH_STOP_WORDS)),
    ),
};

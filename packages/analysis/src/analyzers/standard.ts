/**
 * Analyzers `chinese`, which leaves English stop words out, and `standard`, which is also `default`: words in lower case, without stop words unless they are given.
 */
import { lowercaseFilter } from '../token-filters/letters/lowercase.ts';
import { readStopWords, stopFilters } from '../token-filters/selection/stop.ts';
import { createStandardTokenizer } from '../tokenizers/standard.ts';
import { maxTokenLength } from '../tokenizers/token-runs.ts';
import type { AnalyzerType } from '../tokens/component-type.ts';
import { chainAnalyzer } from './chain-analyzer.ts';

export const standardAnalyzer: AnalyzerType = {
  type: 'standard',
  options: ['max_token_length', 'stopwords'],
  create: (name, options) =>
    chainAnalyzer(name, createStandardTokenizer(maxTokenLength(options)), [
      lowercaseFilter(),
      ...stopFilters(readStopWords(options, [])),
    ]),
};

export const chineseAnalyzer: AnalyzerType = {
  type: 'chinese',
  options: [],
  create: (name) => standardAnalyzer.create(name, { stopwords: '_english_' }),
};

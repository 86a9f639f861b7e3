/**
 * Analyzer `english`: no possessives, no stop words, stems.
 */
import { englishPossessiveFilter } from '../token-filters/letters/english-possessive.ts';
import { lowercaseFilter } from '../token-filters/letters/lowercase.ts';
import { readStopWords, stopFilters } from '../token-filters/selection/stop.ts';
import { ENGLISH_STOP_WORDS } from '../token-filters/selection/stop-words.ts';
import { porterStemFilter } from '../token-filters/stemming/porter-stem.ts';
import { createStandardTokenizer } from '../tokenizers/standard.ts';
import { maxTokenLength } from '../tokenizers/token-runs.ts';
import { readList } from '../tokens/component-options.ts';
import type { AnalyzerType } from '../tokens/component-type.ts';
import { chainAnalyzer } from './chain-analyzer.ts';

export const englishAnalyzer: AnalyzerType = {
  type: 'english',
  options: ['max_token_length', 'stopwords', 'stem_exclusion'],
  create: (name, options) =>
    chainAnalyzer(name, createStandardTokenizer(maxTokenLength(options)), [
      englishPossessiveFilter(),
      lowercaseFilter(),
      ...stopFilters(readStopWords(options, ENGLISH_STOP_WORDS)),
      porterStemFilter(readList(options, 'stem_exclusion') ?? []),
    ]),
};

/**
 * Analyzer `snowball`: words in lower case without stop words, stemmed by the Snowball algorithm of a language.
 */
import { lowercaseFilter } from '../token-filters/letters/lowercase.ts';
import { readStopWords, stopFilters } from '../token-filters/selection/stop.ts';
import { stopWordsOf } from '../token-filters/selection/stop-words.ts';
import { snowballFilter } from '../token-filters/stemming/snowball.ts';
import { createStandardTokenizer } from '../tokenizers/standard.ts';
import type { AnalyzerType } from '../tokens/component-type.ts';
import { chainAnalyzer } from './chain-analyzer.ts';

/** Languages whose stop words go by default; texts of others keep all words. */
const WITH_STOP_WORDS: ReadonlyMap<string, string> = new Map([
  ['English', 'english'],
  ['Dutch', 'dutch'],
  ['German', 'german'],
  ['German2', 'german'],
  ['French', 'french'],
]);

export const snowballAnalyzer: AnalyzerType = {
  type: 'snowball',
  options: ['language', 'stopwords'],
  create: (name, options) => {
    const language = options.language ?? 'English';
    const words = stopWordsOf(WITH_STOP_WORDS.get(language) ?? '') ?? [];
    return chainAnalyzer(name, createStandardTokenizer(), [
      lowercaseFilter(),
      ...stopFilters(readStopWords(options, words)),
      snowballFilter(language),
    ]);
  },
};

/**
 * Analyzer `pattern`: a text cut where a regular expression of Java matches, in lower case unless asked otherwise.
 */
import { JavaPattern } from '../patterns/java-pattern.ts';
import { lowercaseFilter } from '../token-filters/letters/lowercase.ts';
import { readStopWords, stopFilters } from '../token-filters/selection/stop.ts';
import { createPatternTokenizer, PATTERN_DEFAULT } from '../tokenizers/pattern.ts';
import { readFlag } from '../tokens/component-options.ts';
import type { AnalyzerType } from '../tokens/component-type.ts';
import { chainAnalyzer } from './chain-analyzer.ts';

export const patternAnalyzer: AnalyzerType = {
  type: 'pattern',
  options: ['pattern', 'flags', 'lowercase', 'stopwords'],
  create: (name, options) => {
    const { pattern = PATTERN_DEFAULT, flags = '' } = options;
    return chainAnalyzer(name, createPatternTokenizer(new JavaPattern(pattern, flags)), [
      ...(readFlag(options, 'lowercase', true) ? [lowercaseFilter()] : []),
      ...stopFilters(readStopWords(options, [])),
    ]);
  },
};

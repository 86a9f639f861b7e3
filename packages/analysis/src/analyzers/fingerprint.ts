/**
 * Analyzer `fingerprint`: the distinct words of a text, folded to ASCII and sorted, as one term: texts that say the same have
 * the same.
 */
import { fingerprintFilter, readFingerprintOptions } from '../token-filters/grams/fingerprint.ts';
import { asciifoldingFilter } from '../token-filters/letters/asciifolding.ts';
import { lowercaseFilter } from '../token-filters/letters/lowercase.ts';
import { readStopWords, stopFilters } from '../token-filters/selection/stop.ts';
import { createStandardTokenizer } from '../tokenizers/standard.ts';
import type { AnalyzerType } from '../tokens/component-type.ts';
import { chainAnalyzer } from './chain-analyzer.ts';

export const fingerprintAnalyzer: AnalyzerType = {
  type: 'fingerprint',
  options: ['separator', 'max_output_size', 'stopwords'],
  create: (name, options) =>
    chainAnalyzer(name, createStandardTokenizer(), [
      lowercaseFilter(),
      asciifoldingFilter(),
      ...stopFilters(readStopWords(options, [])),
      fingerprintFilter(readFingerprintOptions(options)),
    ]),
};

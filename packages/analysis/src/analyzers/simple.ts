/**
 * Analyzer `simple`: runs of letters in lower case.
 */
import { createLowercaseTokenizer } from '../tokenizers/lowercase.ts';
import { maxTokenLength } from '../tokenizers/token-runs.ts';
import type { AnalyzerType } from '../tokens/component-type.ts';
import { chainAnalyzer } from './chain-analyzer.ts';

export const simpleAnalyzer: AnalyzerType = {
  type: 'simple',
  options: ['max_token_length'],
  create: (name, options) => chainAnalyzer(name, createLowercaseTokenizer(maxTokenLength(options)), []),
};

/**
 * Analyzer `whitespace`.
 */
import { maxTokenLength } from '../tokenizers/token-runs.ts';
import { createWhitespaceTokenizer } from '../tokenizers/whitespace.ts';
import type { AnalyzerType } from '../tokens/component-type.ts';
import { chainAnalyzer } from './chain-analyzer.ts';

export const whitespaceAnalyzer: AnalyzerType = {
  type: 'whitespace',
  options: ['max_token_length'],
  create: (name, options) => chainAnalyzer(name, createWhitespaceTokenizer(maxTokenLength(options)), []),
};

/**
 * Analyzer `keyword`: the whole text is one term.
 */
import { createKeywordTokenizer } from '../tokenizers/keyword.ts';
import type { AnalyzerType } from '../tokens/component-type.ts';
import { chainAnalyzer } from './chain-analyzer.ts';

export const keywordAnalyzer: AnalyzerType = {
  type: 'keyword',
  options: [],
  create: (name) => chainAnalyzer(name, createKeywordTokenizer(), []),
};

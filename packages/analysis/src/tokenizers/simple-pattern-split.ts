/**
 * Tokenizer `simple_pattern_split`: what stands between matches of a regular expression of Lucene.
 */
import type { TokenizerType } from '../tokens/component-type.ts';
import { automatonMatches, tokenAutomaton } from './automaton-matches.ts';
import { emitBetween } from './between-matches.ts';

export const simplePatternSplitTokenizer: TokenizerType = {
  type: 'simple_pattern_split',
  options: ['pattern'],
  create: ({ pattern = '' }) => {
    const dfa = tokenAutomaton(pattern);
    return {
      name: 'simple_pattern_split',
      tokenize: (text, consume) => emitBetween(text, automatonMatches(dfa, text), consume),
    };
  },
};

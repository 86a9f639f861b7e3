/**
 * Tokenizer `simple_pattern`: what a regular expression of Lucene matches, the longest match at each position.
 */
import type { TokenizerType } from '../tokens/component-type.ts';
import { automatonMatches, tokenAutomaton } from './automaton-matches.ts';

export const simplePatternTokenizer: TokenizerType = {
  type: 'simple_pattern',
  options: ['pattern'],
  create: ({ pattern = '' }) => {
    const dfa = tokenAutomaton(pattern);
    return {
      name: 'simple_pattern',
      tokenize(text, consume) {
        for (const { start, end } of automatonMatches(dfa, text))
          consume(text.slice(start, end), start, end, 1, 'word');
      },
    };
  },
};

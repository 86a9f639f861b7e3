/**
 * An analyzer as a tokenizer and a chain of token filters.
 */
import type { Analyzer } from '../tokens/analyzer.ts';
import type { AsciiWordRules } from '../tokens/ascii-words.ts';
import type { TokenFilter, Tokenizer } from '../tokens/token-stage.ts';

/** Positions between two values of one field, unless the field or analyzer says otherwise. */
export const POSITION_INCREMENT_GAP = 100;

/** Puts a tokenizer and filters together. */
export function chainAnalyzer(
  name: string,
  tokenizer: Tokenizer,
  filters: readonly TokenFilter[],
  positionIncrementGap: number = POSITION_INCREMENT_GAP,
): Analyzer {
  return {
    name,
    positionIncrementGap,
    asciiWords: asciiWordsOf(tokenizer, filters),
    analyze(text, consume) {
      let target = consume;
      for (let i = filters.length - 1; i >= 0; i--) target = filters[i]?.into(target) ?? target;
      tokenizer.tokenize(text, target);
    },
    normalize(text) {
      const folded = tokenizer.normalize?.(text) ?? text;
      return filters.reduce((term, filter) => filter.normalize?.(term) ?? term, folded);
    },
  };
}

function asciiWordsOf({ maxWordLength }: Tokenizer, filters: readonly TokenFilter[]): AsciiWordRules | null {
  if (maxWordLength === undefined || !filters.every(({ isLowercase }) => isLowercase === true)) return null;
  return { maxTokenLength: maxWordLength, lowercases: filters.length > 0 };
}

/**
 * Tokenizer `pattern`: what stands between matches of a regular expression of Java, or one group of each match.
 */
import { illegalArgument } from '@shoal/core';
import { JavaPattern } from '../patterns/java-pattern.ts';
import { readInteger } from '../tokens/component-options.ts';
import type { TokenizerType } from '../tokens/component-type.ts';
import type { TokenConsumer } from '../tokens/token-consumer.ts';
import type { Tokenizer } from '../tokens/token-stage.ts';
import { emitBetween, type MatchSpan } from './between-matches.ts';

/** Runs of what is no word character. */
export const PATTERN_DEFAULT = '\\W+';

/** Value of `group` that asks for the texts between matches. */
const BETWEEN = -1;

export const patternTokenizer: TokenizerType = {
  type: 'pattern',
  options: ['pattern', 'flags', 'group'],
  create: (options) => {
    const { pattern = PATTERN_DEFAULT, flags = '' } = options;
    return createPatternTokenizer(new JavaPattern(pattern, flags), readInteger(options, 'group', BETWEEN));
  },
};

/** @param group number of the group that is a token, 0 for the whole match, -1 for what is between matches */
export function createPatternTokenizer(pattern: JavaPattern, group: number = BETWEEN): Tokenizer {
  if (group > pattern.groupCount()) {
    throw illegalArgument(`invalid group specified: pattern only has: ${pattern.groupCount()} capturing groups`);
  }
  return {
    name: 'pattern',
    tokenize(text, consume) {
      const matches = pattern.matches(text);
      if (group < 0) emitBetween(text, matches.map(spanOf), consume);
      else for (const match of matches) emitGroup(match, group, consume);
    },
  };
}

function spanOf(match: RegExpMatchArray): MatchSpan {
  const start = match.index ?? 0;
  return { start, end: start + match[0].length };
}

function emitGroup(match: RegExpMatchArray, group: number, consume: TokenConsumer): void {
  const term = match[group] ?? '';
  if (term === '') return;
  const at = match.indices?.[group]?.[0] ?? match.index ?? 0;
  consume(term, at, at + term.length, 1, 'word');
}

/**
 * Token filter `limit`: the first `max_token_count` tokens of a text.
 */
import { illegalArgument } from '@shoal/core';
import { readFlag, readInteger } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { Token } from '../../tokens/token.ts';

const MAX_TOKEN_COUNT_DEFAULT = 1;

export const limit: TokenFilterType = {
  type: 'limit',
  options: ['max_token_count', 'consume_all_tokens'],
  create: (options) => {
    const max = readInteger(options, 'max_token_count', MAX_TOKEN_COUNT_DEFAULT);
    if (max < 1) throw illegalArgument('maxTokenCount must be greater than zero');
    // Checked only: whether the tokens behind the last one are read, no token tells.
    readFlag(options, 'consume_all_tokens', false);
    return { name: 'limit', transform: (tokens) => firstTokens(tokens, max) };
  },
};

/** Tokens behind the last one leave no gap: they are not removed, the text ends before them. */
function* firstTokens(tokens: Iterable<Token>, max: number): Iterable<Token> {
  let count = 0;
  for (const token of tokens) {
    yield token;
    if (++count >= max) return;
  }
}

/**
 * Token filter `limit`: the first `max_token_count` tokens of a text.
 */
import { illegalArgument } from '@shoal/core';
import { readFlag, readInteger } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';

const MAX_TOKEN_COUNT_DEFAULT = 1;

export const limit: TokenFilterType = {
  type: 'limit',
  options: ['max_token_count', 'consume_all_tokens'],
  create: (options) => {
    const max = readInteger(options, 'max_token_count', MAX_TOKEN_COUNT_DEFAULT);
    if (max < 1) throw illegalArgument('maxTokenCount must be greater than zero');
    // Checked only: the tokens behind the last one are read in any case, and none of them comes out.
    readFlag(options, 'consume_all_tokens', false);
    return {
      name: 'limit',
      into(next) {
        let count = 0;
        return (...token) => {
          if (count++ < max) next(...token);
        };
      },
    };
  },
};

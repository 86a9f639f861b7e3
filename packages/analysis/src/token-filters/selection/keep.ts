/**
 * Token filter `keep`: only the terms of a list.
 */
import { illegalArgument } from '@shoal/core';
import { readFlag, readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { toLowerCase } from '../../tokens/letter-case.ts';
import { dropTerms } from '../../tokens/term-filters.ts';

export const keep: TokenFilterType = {
  type: 'keep',
  options: ['keep_words', 'keep_words_case'],
  needsOptions: true,
  create: (options) => {
    const words = readList(options, 'keep_words');
    const ignoresCase = readFlag(options, 'keep_words_case', false);
    if (words === null)
      throw illegalArgument('keep requires either `keep_words` or `keep_words_path` to be configured');
    const set = new Set(ignoresCase ? words.map(toLowerCase) : words);
    return dropTerms('keep', (term) => !set.has(ignoresCase ? toLowerCase(term) : term));
  },
};

/**
 * Token filter `length`: terms shorter than `min` or longer than `max` UTF-16 units are dropped.
 */
import { illegalArgument } from '@shoal/core';
import { readInteger } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { dropTerms } from '../../tokens/term-filters.ts';

export const length: TokenFilterType = {
  type: 'length',
  options: ['min', 'max'],
  create: (options) => {
    const min = readInteger(options, 'min', 0);
    const max = readInteger(options, 'max', Number.MAX_SAFE_INTEGER);
    if (min < 0) throw illegalArgument('minimum length must be greater than or equal to zero');
    if (min > max) throw illegalArgument('maximum length must not be greater than minimum length');
    return dropTerms('length', (term) => term.length < min || term.length > max);
  },
};

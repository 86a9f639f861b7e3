/**
 * Token filter `length`: terms shorter than `min` or longer than `max` code points are dropped.
 */
import { readInteger } from '../tokens/component-options.ts';
import type { TokenFilterType } from '../tokens/component-type.ts';
import { dropTerms } from '../tokens/term-filters.ts';

export const length: TokenFilterType = {
  type: 'length',
  create: (options) => {
    const min = readInteger(options, 'min', 0);
    const max = readInteger(options, 'max', Number.MAX_SAFE_INTEGER);
    return dropTerms('length', (term) => {
      const codePoints = [...term].length;
      return codePoints < min || codePoints > max;
    });
  },
};

/**
 * Token filter `reverse`: code points in reverse order.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapTerms } from '../../tokens/term-filters.ts';

export const reverse: TokenFilterType = {
  type: 'reverse',
  options: [],
  create: () => mapTerms('reverse', (term) => [...term].reverse().join('')),
};

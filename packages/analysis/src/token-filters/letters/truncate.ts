/**
 * Token filter `truncate`: terms end after `length` UTF-16 units, even within a pair; keywords stay.
 */
import { illegalArgument } from '@shoal/core';
import { readInteger } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { stemTerms } from '../../tokens/term-filters.ts';

export const truncate: TokenFilterType = {
  type: 'truncate',
  options: ['length'],
  undeclared: { length: '10' },
  create: (options) => {
    const length = readInteger(options, 'length', 0);
    if (length < 1) throw illegalArgument('length parameter must be provided');
    return stemTerms('truncate', (term) => term.slice(0, length));
  },
};

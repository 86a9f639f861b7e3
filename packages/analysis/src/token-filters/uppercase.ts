/**
 * Token filter `uppercase`.
 */
import type { TokenFilterType } from '../tokens/component-type.ts';
import { mapTerms } from '../tokens/term-filters.ts';

export const uppercase: TokenFilterType = {
  type: 'uppercase',
  options: [],
  create: () => mapTerms('uppercase', (term) => term.toUpperCase()),
};

/**
 * Token filter `trim`: white space around a term goes.
 */
import type { TokenFilterType } from '../tokens/component-type.ts';
import { mapTerms } from '../tokens/term-filters.ts';

export const trim: TokenFilterType = {
  type: 'trim',
  options: [],
  create: () => mapTerms('trim', (term) => term.trim()),
};

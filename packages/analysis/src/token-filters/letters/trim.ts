/**
 * Token filter `trim`: white space around a term goes.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLetters } from '../../tokens/term-filters.ts';

export const trim: TokenFilterType = {
  type: 'trim',
  options: [],
  create: () => mapLetters('trim', (term) => term.trim()),
};

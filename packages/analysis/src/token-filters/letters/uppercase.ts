/**
 * Token filter `uppercase`.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { toUpperCase } from '../../tokens/letter-case.ts';
import { mapLetters } from '../../tokens/term-filters.ts';

export const uppercase: TokenFilterType = {
  type: 'uppercase',
  options: [],
  create: () => mapLetters('uppercase', toUpperCase),
};

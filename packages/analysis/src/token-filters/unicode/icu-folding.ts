/**
 * Token filter `icu_folding`: case, accents, widths and digits of any script folded for searches; only characters of a set, where one is given.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import { searchFolding } from '../../unicode/search-folding.ts';
import { inCharacterSet, SET_OPTIONS } from '../../unicode/unicode-set-filter.ts';

export const icuFolding: TokenFilterType = {
  type: 'icu_folding',
  options: SET_OPTIONS,
  create: (options) => mapLetters('icu_folding', inCharacterSet(searchFolding(), options)),
};

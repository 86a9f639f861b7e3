/**
 * Token filter `icu_normalizer`: terms in a normal form of Unicode, composed.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import { normalForm } from '../../unicode/normal-form.ts';
import { inCharacterSet, SET_OPTIONS } from '../../unicode/unicode-set-filter.ts';

export const icuNormalizer: TokenFilterType = {
  type: 'icu_normalizer',
  options: ['name', ...SET_OPTIONS],
  create: (options) =>
    mapLetters('icu_normalizer', inCharacterSet(normalForm(options.name ?? 'nfkc_cf', false), options)),
};

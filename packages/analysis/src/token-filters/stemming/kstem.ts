/**
 * Token filter `kstem`: English stems that are words.
 */
import { stemKrovetz } from '../../stemmers/krovetz/kstem.ts';
import { cachedStems } from '../../stemmers/stems-of-language.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { stemTerms } from '../../tokens/term-filters.ts';

export const kstem: TokenFilterType = {
  type: 'kstem',
  options: [],
  create: () => stemTerms('kstem', cachedStems(stemKrovetz)),
};

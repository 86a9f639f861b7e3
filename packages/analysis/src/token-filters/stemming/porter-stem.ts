/**
 * Token filter `porter_stem`: English stems by the algorithm of Porter.
 */
import { porterStem } from '../../stemmers/porter-stemmer.ts';
import { cachedStems } from '../../stemmers/stems-of-language.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { stemTerms } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

/** Stems every term but those in `excluded`. */
export function porterStemFilter(excluded: readonly string[] = []): TokenFilter {
  const unstemmed = new Set(excluded);
  const stem = cachedStems(porterStem);
  return stemTerms('porter_stem', unstemmed.size === 0 ? stem : (term) => (unstemmed.has(term) ? term : stem(term)));
}

export const porterStemType: TokenFilterType = { type: 'porter_stem', options: [], create: () => porterStemFilter() };

/**
 * Token filter `porter_stem`: English stems by the algorithm of Porter.
 */
import { porterStem } from '../../stemmers/porter-stemmer.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { stemTerms } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

/** Stems in the cache; natural text repeats its words, so a small cache saves nearly all the work. */
const STEM_CACHE_MAX = 20_000;

/** Stems every term but those in `excluded`. */
export function porterStemFilter(excluded: readonly string[] = []): TokenFilter {
  const unstemmed = new Set(excluded);
  const cache = new Map<string, string>();
  return stemTerms('porter_stem', (term) => {
    const known = cache.get(term);
    if (known !== undefined) return known;
    const stem = unstemmed.has(term) ? term : porterStem(term);
    if (cache.size >= STEM_CACHE_MAX) cache.clear();
    cache.set(term, stem);
    return stem;
  });
}

export const porterStemType: TokenFilterType = { type: 'porter_stem', options: [], create: () => porterStemFilter() };

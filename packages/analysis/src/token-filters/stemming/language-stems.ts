/**
 * Token filters named after a language and `_stem`: `arabic_stem` and its kin. Each has one stemmer, some also words that it leaves as they are.
 */
import { stemGermanCaumanns } from '../../stemmers/german-caumanns.ts';
import { snowballStems } from '../../stemmers/snowball-stems.ts';
import { cachedStems, stemsOfLanguage } from '../../stemmers/stems-of-language.ts';
import { readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { stemTerms } from '../../tokens/term-filters.ts';

interface LanguageStems {
  readonly language: string;
  readonly stems: () => ((word: string) => string) | null;
  /** It has the option `stem_exclusion`. */
  readonly hasExclusion: boolean;
}

const LANGUAGES: readonly LanguageStems[] = [
  { language: 'arabic', stems: () => stemsOfLanguage('arabic'), hasExclusion: false },
  { language: 'brazilian', stems: () => stemsOfLanguage('brazilian'), hasExclusion: true },
  { language: 'czech', stems: () => stemsOfLanguage('czech'), hasExclusion: false },
  { language: 'dutch', stems: () => snowballStems('dutch'), hasExclusion: true },
  { language: 'french', stems: () => snowballStems('french'), hasExclusion: true },
  { language: 'german', stems: () => stemGermanCaumanns, hasExclusion: true },
  { language: 'russian', stems: () => snowballStems('russian'), hasExclusion: false },
];

export const LANGUAGE_STEMS: readonly TokenFilterType[] = LANGUAGES.map(({ language, stems, hasExclusion }) => ({
  type: `${language}_stem`,
  options: hasExclusion ? ['stem_exclusion'] : [],
  create: (options) => {
    const excluded = new Set(hasExclusion ? readList(options, 'stem_exclusion') : []);
    const stem = cachedStems(stems() ?? ((word) => word));
    return stemTerms(`${language}_stem`, (term) => (excluded.has(term) ? term : stem(term)));
  },
}));

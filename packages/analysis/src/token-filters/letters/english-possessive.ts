/**
 * English possessives: `'s` at the end of a term goes. Part of the analyzer `english` and of the filter `stemmer`.
 */
import { mapTerms } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

/** Takes `'s` off the end, with any of the three apostrophes that texts use. */
export function englishPossessiveFilter(): TokenFilter {
  return mapTerms('english_possessive', (term) => {
    const last = term.charCodeAt(term.length - 1) | 0x20;
    if (last !== 0x73 || term.length < 2) return term;
    const mark = term.charCodeAt(term.length - 2);
    return mark === 0x27 || mark === 0x2019 || mark === 0xff07 ? term.slice(0, -2) : term;
  });
}

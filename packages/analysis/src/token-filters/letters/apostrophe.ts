/**
 * Token filter `apostrophe`: a term ends before its first apostrophe, which in Turkish begins a suffix.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapTerms } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

export function apostropheFilter(): TokenFilter {
  return mapTerms('apostrophe', (term) => {
    const at = term.search(/['\u2019]/);
    return at < 0 ? term : term.slice(0, at);
  });
}

export const apostrophe: TokenFilterType = { type: 'apostrophe', options: [], create: apostropheFilter };

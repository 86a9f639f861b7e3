/**
 * Token filter `remove_duplicates`: drops a term that stands at its position already.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

function removeDuplicatesFilter(): TokenFilter {
  return {
    name: 'remove_duplicates',
    into(next) {
      const seen = new Set<string>();
      return (term, start, end, increment, type, attributes) => {
        if (increment > 0) seen.clear();
        if (seen.has(term)) return;
        seen.add(term);
        next(term, start, end, increment, type, attributes);
      };
    },
  };
}

export const removeDuplicates: TokenFilterType = {
  type: 'remove_duplicates',
  options: [],
  create: removeDuplicatesFilter,
};

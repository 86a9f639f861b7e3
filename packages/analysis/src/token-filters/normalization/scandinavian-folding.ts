/**
 * Token filter `scandinavian_folding`: å, ä, æ and their spellings in ASCII become a, ö and ø with theirs become o.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

const SPELLINGS = /[åäæÅÄÆöøÖØ]|[aA][aAoOeE]|[oO][oOeE]/g;

export const scandinavianFolding: TokenFilterType = {
  type: 'scandinavian_folding',
  options: [],
  create: scandinavianFoldingFilter,
};

function scandinavianFoldingFilter(): TokenFilter {
  return mapLetters('scandinavian_folding', (term) =>
    term.replace(SPELLINGS, (spelling) => {
      const first = spelling[0] ?? '';
      const plain = /[oöø]/i.test(first) ? 'o' : 'a';
      return first === first.toLowerCase() ? plain : plain.toUpperCase();
    }),
  );
}

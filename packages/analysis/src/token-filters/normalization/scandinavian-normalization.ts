/**
 * Token filter `scandinavian_normalization`: the Danish and Norwegian letters for their Swedish forms and their spellings in ASCII.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

const SPELLINGS = /[äÄöÖ]|[aA][aAoOeE]|[oO][oOeE]/g;

export const scandinavianNormalization: TokenFilterType = {
  type: 'scandinavian_normalization',
  options: [],
  create: scandinavianNormalizationFilter,
};

function scandinavianNormalizationFilter(): TokenFilter {
  return mapLetters('scandinavian_normalization', (term) => term.replace(SPELLINGS, letterOf));
}

function letterOf(spelling: string): string {
  const first = spelling[0] ?? '';
  const second = (spelling[1] ?? '').toLowerCase();
  const isLower = first === first.toLowerCase();
  if (first.toLowerCase() === 'ä' || (first.toLowerCase() === 'a' && second === 'e')) return isLower ? 'æ' : 'Æ';
  if (first.toLowerCase() === 'a') return isLower ? 'å' : 'Å';
  return isLower ? 'ø' : 'Ø';
}

/**
 * Token filter `hindi_normalization`: one spelling for what is spelled in several ways: nasals, nuktas, long and short vowels.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { replaceLetters } from '../../tokens/letter-table.ts';
import { mapLettersOfWords } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

/** Replacement, then each letter that has it. */
const TABLE: readonly (readonly [string, string])[] = [
  ['\u0902', '\u0901'],
  ['\u0905', '\u0906\u0972'],
  ['\u0907', '\u0908'],
  ['\u0909', '\u090a'],
  ['\u090f', '\u090d\u090e\u0910'],
  ['\u0913', '\u0911\u0912\u0914'],
  ['\u0928', '\u0929'],
  ['\u0930', '\u0931'],
  ['\u0933', '\u0934'],
  ['', '\u093c\u094d\u200c\u200d'],
  ['\u093f', '\u0940'],
  ['\u0941', '\u0942'],
  ['\u0943', '\u0944'],
  ['\u0947', '\u0945\u0946\u0948'],
  ['\u094b', '\u0949\u094a\u094c'],
  ['\u0915', '\u0958'],
  ['\u0916', '\u0959'],
  ['\u0917', '\u095a'],
  ['\u091c', '\u095b'],
  ['\u0921', '\u095c'],
  ['\u0922', '\u095d'],
  ['\u092b', '\u095e'],
  ['\u092f', '\u095f'],
  ['\u090b', '\u0960'],
  ['\u090c', '\u0961'],
  ['\u0962', '\u0963'],
];

/** A nasal without a vowel is written like the sign for one. */
const DEAD_NASAL = /\u0928\u094d/g;

export function hindiNormalizationFilter(): TokenFilter {
  const replace = replaceLetters(TABLE);
  return mapLettersOfWords('hindi_normalization', (term) => replace(term.replace(DEAD_NASAL, '\u0902')));
}

export const hindiNormalization: TokenFilterType = {
  type: 'hindi_normalization',
  options: [],
  create: hindiNormalizationFilter,
};

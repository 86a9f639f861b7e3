/**
 * Token filter `arabic_normalization` for Arabic: one form of alef, yeh and heh; no tatweel and no vowel marks.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { replaceLetters } from '../../tokens/letter-table.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

/** Replacement, then each letter that has it. */
const TABLE: readonly (readonly [string, string])[] = [
  ['\u0627', '\u0622\u0623\u0625'],
  ['\u0647', '\u0629'],
  ['\u064a', '\u0649'],
  ['', '\u0640\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652'],
];

export function arabicNormalizationFilter(): TokenFilter {
  return mapLetters('arabic_normalization', replaceLetters(TABLE));
}

export const arabicNormalization: TokenFilterType = {
  type: 'arabic_normalization',
  options: [],
  create: arabicNormalizationFilter,
};

/**
 * Token filter `sorani_normalization` for Central Kurdish: one form of heh, yeh, keheh and reh; no marks and format characters.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { replaceLetters } from '../../tokens/letter-table.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

/** Replacement, then each letter that has it. */
const TABLE: readonly (readonly [string, string])[] = [
  ['\u06d5', '\u0629'],
  ['\u06a9', '\u0643'],
  ['\u06cc', '\u0649\u064a'],
  ['\u0695', '\u0692'],
  ['\u0647', '\u06be'],
  ['', '\u0640\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652'],
];

const FORMAT_CHARACTERS = /\p{Cf}/gu;

/** Heh before a zero-width non-joiner, and at the end of a word, is written for ae. */
const AE = /[\u0647\u06be]\u200c|\u0647$/g;

export function soraniNormalizationFilter(): TokenFilter {
  const replace = replaceLetters(TABLE);
  return mapLetters('sorani_normalization', (term) =>
    replace(term.replace(AE, '\u06d5').replace(/^\u0631/, '\u0695')).replace(FORMAT_CHARACTERS, ''),
  );
}

export const soraniNormalization: TokenFilterType = {
  type: 'sorani_normalization',
  options: [],
  create: soraniNormalizationFilter,
};

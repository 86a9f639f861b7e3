/**
 * Token filter `persian_normalization` for Persian: one form of keheh, yeh and heh; no hamza above.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { replaceLetters } from '../../tokens/letter-table.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

/** Replacement, then each letter that has it. */
const TABLE: readonly (readonly [string, string])[] = [
  ['\u0643', '\u06a9'],
  ['\u0647', '\u06c0\u06c1'],
  ['\u064a', '\u06cc\u06d2'],
  ['', '\u0654'],
];

export function persianNormalizationFilter(): TokenFilter {
  return mapLetters('persian_normalization', replaceLetters(TABLE));
}

export const persianNormalization: TokenFilterType = {
  type: 'persian_normalization',
  options: [],
  create: persianNormalizationFilter,
};

/**
 * Token filter `serbian_normalization`: Cyrillic letters become Latin ones, and those lose their marks.
 *
 * It expects lower case.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { replaceLetters } from '../../tokens/letter-table.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

/** Latin, then each letter that becomes it. */
const TABLE: readonly (readonly [string, string])[] = [
  ['c', '\u0107\u010d\u0446\u0447\u045b'],
  ['dj', '\u0111\u0452'],
  ['s', '\u0161\u0441\u0448'],
  ['z', '\u017e\u0436\u0437'],
  ['a', '\u0430'],
  ['b', '\u0431'],
  ['v', '\u0432'],
  ['g', '\u0433'],
  ['d', '\u0434'],
  ['e', '\u0435'],
  ['i', '\u0438'],
  ['k', '\u043a'],
  ['l', '\u043b'],
  ['m', '\u043c'],
  ['n', '\u043d'],
  ['o', '\u043e'],
  ['p', '\u043f'],
  ['r', '\u0440'],
  ['t', '\u0442'],
  ['u', '\u0443'],
  ['f', '\u0444'],
  ['h', '\u0445'],
  ['j', '\u0458'],
  ['lj', '\u0459'],
  ['nj', '\u045a'],
  ['dz', '\u045f'],
];

function serbianNormalizationFilter(): TokenFilter {
  return mapLetters('serbian_normalization', replaceLetters(TABLE));
}

export const serbianNormalization: TokenFilterType = {
  type: 'serbian_normalization',
  options: [],
  create: serbianNormalizationFilter,
};

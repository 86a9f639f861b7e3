/**
 * Token filter `bengali_normalization`: spellings of one sound become one.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLettersOfWords } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

const CANDRABINDU = '\u0981';
const ANUSVARA = '\u0982';
const VISARGA = '\u0983';
const KA = '\u0995';
const KHA = '\u0996';
const NGA = '\u0999';
const BA = '\u09ac';
const YA = '\u09af';
const HA = '\u09b9';
const SIGN_AA = '\u09be';
const SIGN_I = '\u09bf';
const SIGN_E = '\u09c7';
const VIRAMA = '\u09cd';

/** Letters and signs that stand for others wherever they are. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  [NGA, ANUSVARA],
  ['\u09a3', '\u09a8'],
  ['\u09b6', '\u09b8'],
  ['\u09b7', '\u09b8'],
  ['\u09c0', SIGN_I],
  ['\u09c2', '\u09c1'],
  ['\u09ce', '\u09a4'],
  ['\u09dc', '\u09b0'],
  ['\u09dd', '\u09b0'],
]);

export const bengaliNormalization: TokenFilterType = {
  type: 'bengali_normalization',
  options: [],
  create: bengaliNormalizationFilter,
};

export function bengaliNormalizationFilter(): TokenFilter {
  return mapLettersOfWords('bengali_normalization', normalized);
}

function normalized(term: string): string {
  const units = term.split('');
  for (let at = 0; at < units.length; at++) at = normalizedAt(units, at);
  return units.join('');
}

/** Changes the letters around one. @returns position of the last one that needs no second look */
function normalizedAt(units: string[], at: number): number {
  switch (units[at]) {
    case CANDRABINDU:
      units.splice(at, 1);
      return at - 1;
    case KA:
      return joinedKa(units, at);
    case YA:
      return joinedYa(units, at);
    case BA:
      return joinedBa(units, at);
    case VISARGA:
      return withoutVisarga(units, at);
    default:
      units[at] = REPLACED.get(units[at] ?? '') ?? units[at] ?? '';
      return at;
  }
}

function joinedKa(units: string[], at: number): number {
  if (units[at + 1] !== VIRAMA || units[at + 2] !== SIGN_I) return at;
  if (at === 0) units.splice(0, 3, KHA);
  else units.splice(at + 1, 2, KHA);
  return at;
}

/** A joined ya behind the first letter is a vowel, elsewhere it doubles the letter before it. */
function joinedYa(units: string[], at: number): number {
  if (units[at - 1] !== VIRAMA) return at;
  if (at !== 2) {
    units.splice(at - 1, 2);
    return at - 2;
  }
  units.splice(1, units[3] === SIGN_AA ? 3 : 2, SIGN_E);
  return 1;
}

function joinedBa(units: string[], at: number): number {
  if (units[at - 1] !== VIRAMA) return at;
  if (at === 2 || (at >= 5 && units[at - 3] === VIRAMA)) {
    units.splice(at - 1, 2);
    return at - 2;
  }
  if (at < 2) return at;
  units.splice(at - 1, 2, units[at - 2] ?? '');
  return at - 1;
}

/** At the end of a word it is silent, elsewhere it doubles the letter behind it. */
function withoutVisarga(units: string[], at: number): number {
  if (at < units.length - 1) units[at] = units[at + 1] ?? '';
  else if (units.length <= 3) units[at] = HA;
  else units.pop();
  return at;
}

/**
 * Token filter `german_normalization`: umlauts in all their spellings become plain vowels, sharp s becomes ss.
 *
 * Takes the rules of Snowball's algorithm "German2": `ae`, `oe` and `ue` lose their e, but not in `quelle` or `neue`.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import { mapLetters } from '../../tokens/term-filters.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';

/** What the letter before says of an e: `vowel` also keeps a u from beginning an umlaut. */
type Before = 'plain' | 'vowel' | 'umlaut';

const RELEVANT = /[aouäöüß]/;

export function germanNormalizationFilter(): TokenFilter {
  return mapLetters('german_normalization', (term) => (RELEVANT.test(term) ? normalize(term) : term));
}

function normalize(term: string): string {
  let before: Before = 'plain';
  let out = '';
  for (const letter of term) {
    switch (letter) {
      case 'a':
      case 'o':
        before = 'umlaut';
        break;
      case 'u':
        before = before === 'plain' ? 'umlaut' : 'vowel';
        break;
      case 'e': {
        const isMark = before === 'umlaut';
        before = 'vowel';
        if (isMark) continue;
        break;
      }
      case 'i':
      case 'q':
      case 'y':
      case 'ä':
      case 'ö':
      case 'ü':
        before = 'vowel';
        break;
      default:
        before = 'plain';
    }
    out += PLAIN.get(letter) ?? letter;
  }
  return out;
}

const PLAIN: ReadonlyMap<string, string> = new Map([
  ['ä', 'a'],
  ['ö', 'o'],
  ['ü', 'u'],
  ['ß', 'ss'],
]);

export const germanNormalization: TokenFilterType = {
  type: 'german_normalization',
  options: [],
  create: germanNormalizationFilter,
};

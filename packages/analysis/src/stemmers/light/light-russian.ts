/**
 * Light Russian stemmer: the cases of nouns and adjectives.
 *
 * @see Dolamic and Savoy, "Indexing and Searching Strategies for the Russian Language" (2009)
 */
import { applyFirst, endingRules } from '../suffixes/ending-rules.ts';

const CASES = [
  ...endingRules(6, 'иями оями'),
  ...endingRules(5, 'иям иях оях ями оям оьв ами его ему ери ими ого ому ыми оев'),
  ...endingRules(4, 'ая яя ях юю ах ею их ия ию ьв ою ую ям ых ея ам ем ей ём ев ий им ое ой ом ов ые ый ым ми'),
  ...endingRules(3, 'а е и о у й ы я ь'),
];

export function stemLightRussian(word: string): string {
  const s = applyFirst(word, CASES) ?? word;
  if (s.length <= 3) return s;
  return /[ьи]$/.test(s) || s.endsWith('нн') ? s.slice(0, -1) : s;
}

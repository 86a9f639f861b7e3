/**
 * Light Norwegian stemmer for Nynorsk: number, definite forms, genitives and some derivations.
 */
import { applyFirst, endingRules } from '../suffixes/ending-rules.ts';

const ENDINGS = [
  ...endingRules(7, 'heita'),
  ...endingRules(8, 'heiter leiken leikar'),
  ...endingRules(5, 'dom'),
  ...endingRules(6, 'heit semd leik'),
  ...endingRules(7, 'elser elsen'),
  ...endingRules(6, 'ande else aste aren'),
  ...endingRules(5, 'are ast ene ane'),
  ...endingRules(4, 'er en et ar te'),
];

export function stemLightNynorsk(word: string): string {
  const s = word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word;
  const stem = applyFirst(s, ENDINGS);
  if (stem !== null) return stem;
  return s.length > 3 && /[aen]$/.test(s) ? s.slice(0, -1) : s;
}

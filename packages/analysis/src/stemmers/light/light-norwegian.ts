/**
 * Light Norwegian stemmer for Bokmål: number, definite forms, genitives and some derivations.
 */
import { applyFirst, endingRules } from '../suffixes/ending-rules.ts';

const ENDINGS = [
  ...endingRules(7, 'heter heten'),
  ...endingRules(5, 'dom het'),
  ...endingRules(7, 'elser elsen'),
  ...endingRules(6, 'ende else este eren'),
  ...endingRules(5, 'ere est ene'),
  ...endingRules(4, 'er en et st te'),
];

export function stemLightNorwegian(word: string): string {
  const s = word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word;
  const stem = applyFirst(s, ENDINGS);
  if (stem !== null) return stem;
  return s.length > 3 && /[aen]$/.test(s) ? s.slice(0, -1) : s;
}

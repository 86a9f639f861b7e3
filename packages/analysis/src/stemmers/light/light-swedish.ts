/**
 * Light Swedish stemmer: number, definite forms and genitives.
 *
 * @see Savoy, "Report on CLEF-2001 Experiments" (2001)
 */
import { applyFirst, endingRules } from '../suffixes/ending-rules.ts';

const ENDINGS = [
  ...endingRules(7, 'elser heten'),
  ...endingRules(6, 'arne erna ande else aste orna aren'),
  ...endingRules(5, 'are ast het'),
  ...endingRules(4, 'ar er or en at te et'),
];

export function stemLightSwedish(word: string): string {
  const s = word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word;
  const stem = applyFirst(s, ENDINGS);
  if (stem !== null) return stem;
  return s.length > 3 && /[taen]$/.test(s) ? s.slice(0, -1) : s;
}

/**
 * Minimal Norwegian stemmers: number and definite forms of nouns, genitives.
 */
import { applyFirst, type EndingRule, endingRules } from '../suffixes/ending-rules.ts';

const BOKMAAL = [...endingRules(5, 'ene'), ...endingRules(4, 'er en et'), ...endingRules(3, 'a e')];
const NYNORSK = [...endingRules(5, 'ene ane'), ...endingRules(4, 'er en et ar'), ...endingRules(3, 'a e')];

export function stemMinimalNorwegian(word: string): string {
  return stemBy(word, BOKMAAL);
}

export function stemMinimalNynorsk(word: string): string {
  return stemBy(word, NYNORSK);
}

function stemBy(word: string, endings: readonly EndingRule[]): string {
  const s = word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word;
  return applyFirst(s, endings) ?? s;
}

/**
 * Light Portuguese stemmer: number, gender and adverbs.
 *
 * @see Savoy, "Light Stemming Approaches for the French, Portuguese, German and Hungarian Languages" (2006)
 */
import { applyFirst, endingRules, letterMap } from '../suffixes/ending-rules.ts';

const withoutMarks = letterMap('àáâäãòóôöõèéêëùúûüìíîïç', 'aaaaaoooooeeeeuuuuiiiic');

const PLURALS = [
  ...endingRules(4, 'res>r ses>s les>l zes>z'),
  ...endingRules(3, 'ns>m'),
  ...endingRules(4, 'eis>el'),
  ...endingRules(4, 'éis>el'),
  ...endingRules(4, 'ais>al'),
  ...endingRules(4, 'óis>ol'),
  ...endingRules(4, 'is>il'),
  ...endingRules(4, 'ões>ão ães>ão'),
];

const ADVERB = endingRules(6, 'mente');

const FEMININES = [
  ...endingRules(7, 'inha>inho iaca>iaco eira>eiro ona>ão ora>or osa>oso ica>ico ada>ado ida>ido ima>imo iva>ivo'),
  ...endingRules(6, 'ã>ão'),
];

export function stemLightPortuguese(word: string): string {
  if (word.length < 4) return word;
  let s = plural(word);
  if (s.length > 3 && s.endsWith('a')) s = feminine(s);
  if (s.length > 4 && /[eao]$/.test(s)) s = s.slice(0, -1);
  return withoutMarks(s);
}

function plural(word: string): string {
  const singular = applyFirst(word, PLURALS);
  if (singular !== null) return singular;
  if (word.length > 6 && word.endsWith('mente')) return applyFirst(word, ADVERB) ?? word;
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
}

function feminine(word: string): string {
  return applyFirst(word, FEMININES) ?? word;
}

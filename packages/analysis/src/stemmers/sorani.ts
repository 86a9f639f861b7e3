/**
 * Sorani (Central Kurdish) stemmer: definite, plural, possessive and demonstrative endings.
 */
import { applyFirst, endingRules } from './suffixes/ending-rules.ts';

const POSTPOSITIONS = [...endingRules(5, 'دا'), ...endingRules(4, 'نا>ن'), ...endingRules(6, 'ەوە')];

const PRONOUNS = [...endingRules(6, 'مان یان تان')];

const NOUNS = [
  ...endingRules(6, 'ێکی'),
  ...endingRules(7, 'یەکی'),
  ...endingRules(5, 'ێک'),
  ...endingRules(6, 'یەک'),
  ...endingRules(6, 'ەکە'),
  ...endingRules(5, 'کە'),
  ...endingRules(7, 'ەکان'),
  ...endingRules(6, 'کان'),
  ...endingRules(7, 'یانی'),
  ...endingRules(6, 'انی'),
  ...endingRules(6, 'یان'),
  ...endingRules(5, 'ان'),
  ...endingRules(7, 'یانە'),
  ...endingRules(6, 'انە'),
  ...endingRules(5, 'ایە>ا ەیە>ە'),
  ...endingRules(4, 'ە'),
  ...endingRules(4, 'ی'),
];

export function stemSorani(word: string): string {
  const s = applyFirst(word, POSTPOSITIONS) ?? word;
  const t = applyFirst(s, PRONOUNS) ?? s;
  return applyFirst(t, NOUNS) ?? t;
}

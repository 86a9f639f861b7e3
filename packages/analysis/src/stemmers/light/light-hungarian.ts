/**
 * Light Hungarian stemmer: cases, possessives and plurals of nouns and adjectives.
 *
 * @see Savoy, "Light Stemming Approaches for the French, Portuguese, German and Hungarian Languages" (2006)
 */
import { applyFirst, endingRules, letterMap } from '../suffixes/ending-rules.ts';

const withoutMarks = letterMap('áëéíóőõöúűũûü', 'aeeioooouuuuu');

const LONG_CASES = [
  ...endingRules(6, 'kent'),
  ...endingRules(5, 'nak nek val vel ert rol ban ben bol nal nel hoz hez tol'),
];
const SHORT_CASES = endingRules(4, 'at et ot va ve ra re ba be ul ig');
/** Possessives of four and three letters. */
const LONG_POSSESSIVES = /(?:[^aeiouy](?:atok|otok|etek)|itek|itok)$/;
const MIDDLE_POSSESSIVES = /(?:[^aeiouy](?:unk|tok|tek)|[aeiouy]juk|ink)$/;
const SHORT_POSSESSIVES = /(?:[^aeiouy](?:am|em|om|ad|ed|od|uk)|[aeiouy](?:nk|ja|je)|im|id|ik)$/;

export function stemLightHungarian(word: string): string {
  const stem = withoutPlural(withoutPossessive(withoutCase(withoutMarks(word))));
  return stem.length > 3 && /[aeio]$/.test(stem) ? stem.slice(0, -1) : stem;
}

function withoutCase(word: string): string {
  const long = applyFirst(word, LONG_CASES);
  if (long !== null) return long;
  const { length } = word;
  // The instrumental doubles the last consonant: one of the two goes with the ending.
  if (length > 5 && /([^aeiouy])\1[ae]l$/.test(word)) return word.slice(0, -3);
  if (length <= 4) return word;
  const short = applyFirst(word, SHORT_CASES);
  if (short !== null) return short;
  if (/[^aeiouy][oe]n$/.test(word)) return word.slice(0, -2);
  if (/[tn]$/.test(word)) return word.slice(0, -1);
  return /([^aeiouy])\1[ae]$/.test(word) ? word.slice(0, -2) : word;
}

function withoutPossessive(word: string): string {
  const { length } = word;
  if (length > 6 && LONG_POSSESSIVES.test(word)) return word.slice(0, -4);
  if (length > 5 && MIDDLE_POSSESSIVES.test(word)) return word.slice(0, -3);
  if (length > 4 && SHORT_POSSESSIVES.test(word)) return word.slice(0, -2);
  return length > 3 && /(?:[^aeiouy][ae]|[aeiouy][md]|i)$/.test(word) ? word.slice(0, -1) : word;
}

function withoutPlural(word: string): string {
  if (word.length <= 3 || !word.endsWith('k')) return word;
  return word.length > 4 && /[aoe]k$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

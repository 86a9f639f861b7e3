/**
 * Light Finnish stemmer: cases, number and clitics of nouns and adjectives.
 *
 * @see Savoy's light stemmers of the University of Neuchâtel
 */
import { applyFirst, endingRules, letterMap } from '../suffixes/ending-rules.ts';

const withoutMarks = letterMap('äåö', 'aao');

const CLITICS = endingRules(8, 'kin ko');
const DERIVATIONS = endingRules(11, 'dellinen dellisuus');
const ADVERBS = [...endingRules(5, 'lla tse sti ni'), ...endingRules(5, 'aa>a')];
const CASES_OF_LONG_WORDS = [
  ...endingRules(8, 'nnen>s ntena>s tten eiden'),
  ...endingRules(6, 'neen niin seen teen inen'),
];
const CASES = [
  ...endingRules(6, 'den>s ksen>s ssa sta lla lta tta ksi lle'),
  ...endingRules(5, 'na ne nei'),
  ...endingRules(4, 'ja ta a'),
];

export function stemLightFinnish(word: string): string {
  if (word.length < 4) return word;
  return withSingleStops(withoutLastVowels(withoutCase(withoutDerivation(withoutMarks(word)))));
}

function withoutDerivation(word: string): string {
  const plain = applyFirst(word, CLITICS);
  if (plain !== null) return withoutDerivation(plain);
  const base = applyFirst(word, DERIVATIONS) ?? word;
  return applyFirst(base, ADVERBS) ?? base;
}

function withoutCase(word: string): string {
  const long = applyFirst(word, CASES_OF_LONG_WORDS);
  if (long !== null) return long;
  if (word.length > 6 && /h[aeiouy]n$/.test(word)) return word.slice(0, -3);
  const stem = applyFirst(word, CASES);
  if (stem !== null) return stem;
  if (word.length <= 4 || !word.endsWith('n')) return word;
  return /[aeiouy]n$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function withoutLastVowels(word: string): string {
  let stem = word.length > 5 && word.endsWith('hde') ? `${word.slice(0, -3)}ksi` : word;
  if (stem.length > 4 && /(?:ei|at)$/.test(stem)) stem = stem.slice(0, -2);
  else if (stem.length > 3 && /[tsjeai]$/.test(stem)) stem = stem.slice(0, -1);
  if (stem.length > 8 && /[eou]$/.test(stem)) stem = stem.slice(0, -1);
  return stem.length > 4 && stem.endsWith('i') ? stem.slice(0, -1) : stem;
}

/** Doubled k, p and t vary with the case: they count as one. */
function withSingleStops(word: string): string {
  return word.length > 4 ? word.replace(/([kpt])\1+/g, '$1') : word;
}

/**
 * Stemmers of Galician: the whole one, and one that takes off the plural alone.
 */
import { letterMap } from './suffixes/ending-rules.ts';
import { GALICIAN_STEPS } from './suffixes/suffix-step-tables.ts';
import { type SuffixStep, suffixSteps } from './suffixes/suffix-steps.ts';

const STEPS = suffixSteps(GALICIAN_STEPS);
const step = (name: string): SuffixStep => STEPS.get(name) ?? ((word) => word);
const [plural, unification, adverb] = [step('plural'), step('unification'), step('adverb')];
const [augmentative, noun, verb, vowel] = [step('augmentative'), step('noun'), step('verb'), step('vowel')];

const withoutAccents = letterMap('áéêíóú', 'aeeiou');

export const stemMinimalGalician: SuffixStep = plural;

export function stemGalician(word: string): string {
  if (word === '') return word;
  let stem = adverb(unification(plural(word)));
  for (let before = ''; before !== stem; ) {
    before = stem;
    stem = augmentative(stem);
  }
  const asNoun = noun(stem);
  return withoutAccents(vowel(asNoun === stem ? verb(stem) : asNoun));
}

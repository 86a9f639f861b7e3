/**
 * Stemmers of Portuguese by tables of suffixes: the whole one, and one that takes off the plural alone.
 *
 * @see Orengo and Huyck, "A Stemming Algorithm for the Portuguese Language" (2001)
 */
import { letterMap } from './suffixes/ending-rules.ts';
import { PORTUGUESE_STEPS } from './suffixes/suffix-step-tables.ts';
import { type SuffixStep, suffixSteps } from './suffixes/suffix-steps.ts';

const STEPS = suffixSteps(PORTUGUESE_STEPS);
const step = (name: string): SuffixStep => STEPS.get(name) ?? ((word) => word);
const [plural, adverb, feminine] = [step('plural'), step('adverb'), step('feminine')];
const [augmentative, noun, verb, vowel] = [step('augmentative'), step('noun'), step('verb'), step('vowel')];

const withoutAccents = letterMap('àáâãäåçèéêëìíîïñòóôõöùúûüýÿ', 'aaaaaaceeeeiiiinooooouuuuyy');

export const stemMinimalPortuguese: SuffixStep = plural;

export function stemPortugueseRslp(word: string): string {
  if (word === '') return word;
  const stem = augmentative(feminine(adverb(plural(word))));
  const asNoun = noun(stem);
  if (asNoun !== stem) return withoutAccents(asNoun);
  const asVerb = verb(stem);
  return withoutAccents(asVerb === stem ? vowel(stem) : asVerb);
}

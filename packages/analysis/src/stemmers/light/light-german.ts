/**
 * Light German stemmer: umlauts and the inflections of nouns and adjectives.
 *
 * @see Savoy, "Light Stemming Approaches for the French, Portuguese, German and Hungarian Languages" (2006)
 */
import { letterMap } from '../suffixes/ending-rules.ts';

const withoutMarks = letterMap('àáâäòóôöìíîïùúûü', 'aaaaooooiiiiuuuu');

/** Letters after which an s or st is an ending. */
const BEFORE_S = /[bdfghklmnt]/;

export function stemLightGerman(word: string): string {
  return secondStep(firstStep(withoutMarks(word)));
}

function firstStep(word: string): string {
  const { length } = word;
  if (length > 5 && word.endsWith('ern')) return word.slice(0, -3);
  if (length > 4 && /e[mnrs]$/.test(word)) return word.slice(0, -2);
  if (length > 3 && word.endsWith('e')) return word.slice(0, -1);
  if (length > 3 && word.endsWith('s') && BEFORE_S.test(word[length - 2] ?? '')) return word.slice(0, -1);
  return word;
}

function secondStep(word: string): string {
  const { length } = word;
  if (length > 5 && word.endsWith('est')) return word.slice(0, -3);
  if (length > 4 && /e[rn]$/.test(word)) return word.slice(0, -2);
  if (length > 4 && word.endsWith('st') && BEFORE_S.test(word[length - 3] ?? '')) return word.slice(0, -2);
  return word;
}

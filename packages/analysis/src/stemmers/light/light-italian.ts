/**
 * Light Italian stemmer: vowels that mark number and gender.
 *
 * @see Savoy, "Report on CLEF-2001 Experiments" (2001)
 */
import { letterMap } from '../suffixes/ending-rules.ts';

const withoutMarks = letterMap('àáâäòóôöèéêëùúûüìíîï', 'aaaaooooeeeeuuuuiiii');

export function stemLightItalian(word: string): string {
  if (word.length < 6) return word;
  const plain = withoutMarks(word);
  if (/(?:ie|he|ia)$/.test(plain)) return plain.slice(0, -2);
  if (/(?:hi|ii|io)$/.test(plain)) return plain.slice(0, -2);
  return /[eioa]$/.test(plain) ? plain.slice(0, -1) : plain;
}

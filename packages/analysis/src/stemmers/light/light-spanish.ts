/**
 * Light Spanish stemmer: number and gender.
 *
 * @see Savoy, "Report on CLEF-2001 Experiments" (2001)
 */
import { letterMap } from '../suffixes/ending-rules.ts';

const withoutMarks = letterMap('àáâäòóôöèéêëùúûüìíîï', 'aaaaooooeeeeuuuuiiii');

export function stemLightSpanish(word: string): string {
  if (word.length < 5) return word;
  const plain = withoutMarks(word);
  if (/[oae]$/.test(plain)) return plain.slice(0, -1);
  if (!plain.endsWith('s')) return plain;
  if (plain.endsWith('eses')) return plain.slice(0, -2);
  if (plain.endsWith('ces')) return `${plain.slice(0, -3)}z`;
  return /[oae]s$/.test(plain) ? plain.slice(0, -2) : plain;
}

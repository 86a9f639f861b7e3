/**
 * Minimal German stemmer: plurals of nouns.
 *
 * @see Savoy, "Morphologie et recherche d'information" (2006)
 */
import { letterMap } from '../suffixes/ending-rules.ts';

const withoutUmlauts = letterMap('äöü', 'aou');

export function stemMinimalGerman(word: string): string {
  if (word.length < 5) return word;
  const plain = withoutUmlauts(word);
  if (plain.length > 6 && plain.endsWith('nen')) return plain.slice(0, -3);
  if (plain.length > 5 && /(?:en|se|es|er)$/.test(plain)) return plain.slice(0, -2);
  return /[nesr]$/.test(plain) ? plain.slice(0, -1) : plain;
}

/**
 * Minimal French stemmer: plurals and genders.
 *
 * @see Savoy, "A stemming procedure and stopword list for general French corpora" (1999)
 */
export function stemMinimalFrench(word: string): string {
  if (word.length < 6) return word;
  if (word.endsWith('x')) return word.endsWith('aux') ? `${word.slice(0, -2)}l` : word.slice(0, -1);
  let s = word.replace(/s$/, '').replace(/r$/, '').replace(/e$/, '').replace(/é$/, '');
  if (/(\p{L})\1$/u.test(s)) s = s.slice(0, -1);
  return s;
}

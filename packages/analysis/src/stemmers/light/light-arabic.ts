/**
 * Light Arabic stemmer: the article and other prefixes, and the suffixes of gender, number and person.
 *
 * It expects text that the filter `arabic_normalization` has been over.
 *
 * @see Larkey, Ballesteros and Connell, "Light Stemming for Arabic Information Retrieval" (2007)
 */
const PREFIXES: readonly string[] = ['ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و'];
const SUFFIXES: readonly string[] = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ية', 'ه', 'ة', 'ي'];

/** A word of one letter keeps more of itself. */
const AND = 'و';

export function stemLightArabic(word: string): string {
  let s = word;
  for (const prefix of PREFIXES) {
    const isEnough = prefix === AND ? s.length >= 4 : s.length >= prefix.length + 2;
    if (isEnough && s.startsWith(prefix)) {
      s = s.slice(prefix.length);
      break;
    }
  }
  for (const suffix of SUFFIXES) {
    if (s.length >= suffix.length + 2 && s.endsWith(suffix)) s = s.slice(0, -suffix.length);
  }
  return s;
}

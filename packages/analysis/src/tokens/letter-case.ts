/**
 * Lower and upper case as Java makes them: the same text gives the same terms on both sides.
 */

/** Letter by letter, as Java does it: a final sigma is a sigma, and a capital I with dot becomes a plain i. */
export function toLowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower === text || !/[\u0130\u03a3]/.test(text)) return lower;
  let out = '';
  for (const c of text) out += c === '\u0130' ? 'i' : c === '\u03a3' ? '\u03c3' : c.toLowerCase();
  return out;
}

/** Letter by letter, as Java does it: a letter whose capital form is two letters stays as it is. */
export function toUpperCase(text: string): string {
  const upper = text.toUpperCase();
  if (upper.length === text.length) return upper;
  let out = '';
  for (const c of text) out += c.toUpperCase().length === c.length ? c.toUpperCase() : c;
  return out;
}

/** The first letter as a capital, the others as they are. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Turkish has an i with and one without a dot, each with a capital letter. */
export function toTurkishLowerCase(text: string): string {
  return toLowerCase(text.replaceAll('I\u0307', 'i').replaceAll('\u0130', 'i').replaceAll('I', '\u0131'));
}

/** Irish writes a prefixed n or t without a hyphen before a capital vowel. */
export function toIrishLowerCase(text: string): string {
  return toLowerCase(/^[nt][AEIOU\u00c1\u00c9\u00cd\u00d3\u00da]/.test(text) ? `${text[0]}-${text.slice(1)}` : text);
}

const GREEK_FORMS: ReadonlyMap<string, string> = new Map([
  ...[...'\u03ac\u0386'].map((letter) => [letter, '\u03b1'] as const),
  ...[...'\u03ad\u0388'].map((letter) => [letter, '\u03b5'] as const),
  ...[...'\u03ae\u0389'].map((letter) => [letter, '\u03b7'] as const),
  ...[...'\u03af\u038a\u03ca\u03aa\u0390'].map((letter) => [letter, '\u03b9'] as const),
  ...[...'\u03cd\u038e\u03cb\u03ab\u03b0'].map((letter) => [letter, '\u03c5'] as const),
  ...[...'\u03cc\u038c'].map((letter) => [letter, '\u03bf'] as const),
  ...[...'\u03ce\u038f'].map((letter) => [letter, '\u03c9'] as const),
  ['\u03c2', '\u03c3'],
  ['\u03a2', '\u03c2'],
]);

/** Greek without accents, all sigmas alike. */
export function toGreekLowerCase(text: string): string {
  let out = '';
  for (const letter of text) out += GREEK_FORMS.get(letter) ?? toLowerCase(letter);
  return out;
}

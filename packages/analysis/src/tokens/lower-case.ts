/**
 * Lower case as Java makes it: the same text gives the same terms on both sides.
 */

/** Letter by letter, as Java does it: a final sigma is a sigma, and a capital I with dot becomes a plain i. */
export function toLowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower === text || !/[\u0130\u03a3]/.test(text)) return lower;
  let out = '';
  for (const c of text) out += c === '\u0130' ? 'i' : c === '\u03a3' ? '\u03c3' : c.toLowerCase();
  return out;
}

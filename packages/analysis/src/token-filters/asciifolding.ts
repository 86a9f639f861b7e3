/**
 * Token filter `asciifolding`: letters without their marks.
 */
import type { TokenFilterType } from '../tokens/component-type.ts';
import { mapTerms } from '../tokens/term-filters.ts';
import type { TokenFilter } from '../tokens/token-stage.ts';

const FOLDED: ReadonlyMap<string, string> = new Map([
  ['\u00df', 'ss'],
  ['\u00e6', 'ae'],
  ['\u00c6', 'AE'],
  ['\u0153', 'oe'],
  ['\u0152', 'OE'],
  ['\u00f8', 'o'],
  ['\u00d8', 'O'],
  ['\u0111', 'd'],
  ['\u0110', 'D'],
  ['\u00f0', 'd'],
  ['\u00d0', 'D'],
  ['\u00fe', 'th'],
  ['\u00de', 'TH'],
  ['\u0142', 'l'],
  ['\u0141', 'L'],
  ['\u0131', 'i'],
  ['\u2018', "'"],
  ['\u2019', "'"],
  ['\u201c', '"'],
  ['\u201d', '"'],
  ['\u2010', '-'],
  ['\u2013', '-'],
  ['\u2014', '-'],
]);

/** Letters with marks become letters without; the common ones that do not decompose are written out. */
function asciiFoldingFilter(): TokenFilter {
  return mapTerms('asciifolding', (term) => {
    if (!/[^\0-\x7f]/.test(term)) return term;
    const folded = term.normalize('NFKD').replace(/\p{Mn}/gu, '');
    return folded.replace(/[^\0-\x7f]/gu, (c) => FOLDED.get(c) ?? c);
  });
}

export const asciifolding: TokenFilterType = { type: 'asciifolding', options: [], create: asciiFoldingFilter };

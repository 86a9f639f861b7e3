/**
 * Token filters: what happens to tokens between the tokenizer and the index.
 */

import { porterStem } from '../stemmers/porter-stemmer.ts';
import type { TokenConsumer } from '../tokens/analyzer.ts';
import type { TokenFilter } from '../tokens/token-stage.ts';

/** Stems kept; natural text repeats its words, so a small memory saves nearly all the work. */
const STEM_CACHE_MAX = 20_000;

/** Letter by letter, as Java does it: a final sigma is a sigma, and a capital I with dot becomes a plain i. */
export function toLowerCase(text: string): string {
  const lower = text.toLowerCase();
  if (lower === text || !/[\u0130\u03a3]/.test(text)) return lower;
  let out = '';
  for (const c of text) out += c === '\u0130' ? 'i' : c === '\u03a3' ? '\u03c3' : c.toLowerCase();
  return out;
}

/** A filter that replaces each term by another. */
export function mapTerms(name: string, map: (term: string) => string): TokenFilter {
  return {
    name,
    into: (next) => (term, start, end, increment, type) => next(map(term), start, end, increment, type),
  };
}

/** A filter that drops terms; the next one kept stands as far away as it did in the text. */
function dropTerms(name: string, isDropped: (term: string) => boolean): TokenFilter {
  return { name, into: (next) => droppingConsumer(next, isDropped) };
}

function droppingConsumer(next: TokenConsumer, isDropped: (term: string) => boolean): TokenConsumer {
  let skipped = 0;
  return (term, start, end, increment, type) => {
    if (isDropped(term)) {
      skipped += increment;
      return;
    }
    next(term, start, end, increment + skipped, type);
    skipped = 0;
  };
}

export function lowercaseFilter(): TokenFilter {
  return { ...mapTerms('lowercase', toLowerCase), isLowercase: true };
}

export function stopFilter(words: readonly string[], ignoresCase = false): TokenFilter {
  const set = new Set(ignoresCase ? words.map(toLowerCase) : words);
  const lengthMax = Math.max(0, ...words.map((word) => word.length));
  // Most words are longer than any stop word: they need no look-up.
  return dropTerms('stop', (term) => term.length <= lengthMax && set.has(ignoresCase ? toLowerCase(term) : term));
}

export function lengthFilter(min: number, max: number): TokenFilter {
  return dropTerms('length', (term) => {
    const length = [...term].length;
    return length < min || length > max;
  });
}

/** Takes `'s` off the end, with any of the three apostrophes that texts use. */
export function englishPossessiveFilter(): TokenFilter {
  return mapTerms('english_possessive', (term) => {
    const last = term.charCodeAt(term.length - 1) | 0x20;
    if (last !== 0x73 || term.length < 2) return term;
    const mark = term.charCodeAt(term.length - 2);
    return mark === 0x27 || mark === 0x2019 || mark === 0xff07 ? term.slice(0, -2) : term;
  });
}

/** Words of `excluded` stay as they are. */
export function porterStemFilter(excluded: readonly string[] = []): TokenFilter {
  const kept = new Set(excluded);
  const cache = new Map<string, string>();
  return mapTerms('porter_stem', (term) => {
    const known = cache.get(term);
    if (known !== undefined) return known;
    const stem = kept.has(term) ? term : porterStem(term);
    if (cache.size >= STEM_CACHE_MAX) cache.clear();
    cache.set(term, stem);
    return stem;
  });
}

/** Letters with marks become letters without; the common ones that do not decompose are written out. */
export function asciiFoldingFilter(): TokenFilter {
  return mapTerms('asciifolding', (term) => {
    if (!/[^\0-\x7f]/.test(term)) return term;
    const folded = term.normalize('NFKD').replace(/\p{Mn}/gu, '');
    return folded.replace(/[^\0-\x7f]/gu, (c) => FOLDED.get(c) ?? c);
  });
}

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

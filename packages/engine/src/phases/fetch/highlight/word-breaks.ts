/**
 * Words of a text as fragments are cut by them: a run of letters and digits, with single marks inside (`fox-like`,
 * `e.g`, `1,000.5`), is one; a run of spaces is one; anything else stands alone.
 *
 * These are the rules of Java's word iterator, by which Elasticsearch cuts: Unicode's own would break at every hyphen.
 */
import { firstAtLeast } from '@shoal/core';
import type { TextSplitter } from './passage-breaks.ts';

const IDEOGRAPH = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}`;
const LETTER = String.raw`(?:(?![${IDEOGRAPH}])[\p{L}\p{M}\p{Cf}])`;
const WORD = String.raw`${LETTER}+(?:[\p{Pd}\p{Pc}\u00ad\u2027"'.]${LETTER}+)*`;
const NUMBER = String.raw`\p{N}+(?:["',.\u066b]\p{N}+)*[\u00a2%\u066a\u2030\u2031&]?`;
const MONEY = String.raw`[\p{Sc}#.](?=\p{N})`;
const SPACES = String.raw`[\p{Zs}\t]*\r?[\n\f\u2028\u2029]|[\p{Zs}\t]+`;
const RUNS = String.raw`\p{Script=Han}+|\p{Script=Hiragana}+|\p{Script=Katakana}+`;
const SEGMENT = String.raw`(?:${MONEY})?(?:${WORD}|${NUMBER})+|${SPACES}|${RUNS}|\P{M}\p{M}*|\p{M}+`;

export function splitWords(text: string): TextSplitter {
  const ends: number[] = [];
  const segment = new RegExp(SEGMENT, 'suy');
  for (let at = 0; at < text.length; ) {
    segment.lastIndex = at;
    const length = segment.exec(text)?.[0].length ?? 0;
    // Half of a pair alone matches nothing.
    at += Math.max(1, length);
    ends.push(at);
  }
  return {
    preceding: (offset) => ends[firstAtLeast(ends, offset, 0, ends.length) - 1] ?? 0,
    following: (offset) => ends[firstAtLeast(ends, offset + 1, 0, ends.length)] ?? -1,
  };
}

/**
 * Sentences of a text as fragments are cut by them: `!`, `?` and their like end one whatever follows, a full stop where the next
 * word is told from the one before by spaces and a letter that is not lower case, or by other marks in front of a letter. What
 * closes a sentence and the spaces behind it belong to it.
 *
 * These are the rules of Java's sentence iterator, by which Elasticsearch cuts: Unicode's own would end one within `KKT35+.FARSIGHTED`,
 * and none in front of `5.0 (compatible`. They are the same for every language.
 */
import { firstAtLeast } from '@shoal/core';
import type { TextSplitter } from './passage-breaks.ts';

const SPACE = String.raw`\t\r\f\n\u2028\p{Zs}`;
const PERIOD = String.raw`.\uff0e`;
const TERM = String.raw`!?\u3002\uff01\uff1f`;
const DANDA = String.raw`\u0964\u0965`;
/** Closes what stands before it; straight quotes open as well. */
const END = String.raw`\p{Pe}\p{Pf}"'`;
/** Marks that change nothing about the character before them. */
const IGNORED = String.raw`[\p{Mn}\p{Me}\p{Cf}]*`;
const one = (set: string): string => `(?:[${set}]${IGNORED})`;
/** May stand in front of the first word of a sentence. */
const START = one(String.raw`^\p{L}\p{N}\p{Mn}\p{Me}\p{Cf}\p{Pe}\p{Pf}${SPACE}${PERIOD}${TERM}${DANDA},\u2029`);
const NOT_LOWER = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}]`;

const CLOSED = `${one(PERIOD)}${one(PERIOD + END)}*`;
const OPENS = String.raw`(?=${START}+\p{L}|[${DANDA}])`;
/** What ends a sentence, with all that belongs to its end; a full stop that ends none is passed over with what closes it. */
const SENTENCE_END = [
  String.raw`\u2029`,
  `${one(TERM)}${one(TERM + PERIOD + END)}*${one(SPACE)}*\\u2029?`,
  `${one(DANDA)}${one(SPACE)}*`,
  String.raw`${CLOSED}${one(SPACE)}*\u2029`,
  `${CLOSED}${one(SPACE)}+(?:(?=${NOT_LOWER})|${OPENS})`,
  String.raw`${CLOSED}(?:(?<=["'])(?=\p{L})|${OPENS})`,
].join('|');

export function splitSentences(text: string): TextSplitter {
  const ends: number[] = [];
  const scan = new RegExp(`(${SENTENCE_END})|${CLOSED}`, 'gsu');
  for (const { 0: found, 1: end, index } of text.matchAll(scan)) {
    if (end !== undefined && index + found.length < text.length) ends.push(index + found.length);
  }
  if (text.length > 0) ends.push(text.length);
  return {
    preceding: (offset) => ends[firstAtLeast(ends, offset, 0, ends.length) - 1] ?? 0,
    following: (offset) => ends[firstAtLeast(ends, offset + 1, 0, ends.length)] ?? -1,
  };
}

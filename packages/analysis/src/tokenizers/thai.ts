/**
 * Tokenizer `thai`: words of Thai by the dictionary of the platform's segmenter; words of other scripts by its rules.
 */
import type { TokenizerType } from '../tokens/component-type.ts';
import type { Tokenizer } from '../tokens/token-stage.ts';

interface WordRun {
  readonly start: number;
  readonly end: number;
}

/** A hyphen between letters is part of a word, except in Thai; beside digits it is not. */
const HYPHENATED = /^(?!\p{Script=Thai})\p{L}\p{M}*-(?!\p{Script=Thai})\p{L}$/u;

/** What a word begins with: a number that is no digit is no word. */
const WORD_START = /^[\p{L}\p{Nd}]/u;

function isHyphenated(text: string, end: number, start: number): boolean {
  if (start !== end + 1 || text[end] !== '-') return false;
  const [last = ''] = /\P{M}\p{M}*$/u.exec(text.slice(Math.max(0, end - 8), end)) ?? [];
  return HYPHENATED.test(`${last}-${String.fromCodePoint(text.codePointAt(start) ?? 0)}`);
}

export function createThaiTokenizer(): Tokenizer {
  const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
  return {
    name: 'thai',
    tokenize(text, consume) {
      let word: WordRun | null = null;
      for (const { segment, index, isWordLike } of segmenter.segment(text)) {
        if (isWordLike !== true) continue;
        // The segmenter joins words at underscores.
        for (const { 0: part, index: start } of segment.matchAll(/[^_]+/g)) {
          if (!WORD_START.test(part)) continue;
          const next: WordRun = { start: index + start, end: index + start + part.length };
          if (word !== null && isHyphenated(text, word.end, next.start)) word = { start: word.start, end: next.end };
          else {
            if (word !== null) consume(text.slice(word.start, word.end), word.start, word.end, 1, 'word');
            word = next;
          }
        }
      }
      if (word !== null) consume(text.slice(word.start, word.end), word.start, word.end, 1, 'word');
    },
  };
}

export const thaiTokenizer: TokenizerType = { type: 'thai', options: [], create: createThaiTokenizer };

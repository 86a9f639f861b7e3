/**
 * The standard tokenizer: words by the rules of Unicode Standard Annex #29, as Lucene's StandardTokenizer cuts them.
 *
 * One pass, longest match from each start; words of plain ASCII take a short way. Letters, digits and connectors join; `.` and `'` join within words and
 * numbers, `:` within words, `,` within numbers; Han and Hiragana come one character a token, runs of scripts without
 * spaces as one. What is longer than `maxTokenLength` continues as a new token.
 */

import type { TokenizerType } from '../tokens/component-type.ts';
import { isPictograph } from '../tokens/pictographs.ts';
import type { TokenConsumer, TokenType } from '../tokens/token-consumer.ts';
import type { Tokenizer } from '../tokens/token-stage.ts';
import {
  COMPLEX,
  CONNECTOR,
  createWordClasses,
  DOUBLE_QUOTE,
  EMOJI,
  EXTEND,
  HAN,
  HANGUL,
  HEBREW,
  HIRAGANA,
  isComplexMark,
  KATAKANA,
  LETTER,
  MID_LETTER,
  MID_NUM,
  MID_NUM_LET,
  NUMERIC,
  OTHER,
  REGIONAL,
  SINGLE_QUOTE,
  type WordClasses,
} from '../tokens/word-classes.ts';
import { MAX_TOKEN_LENGTH, maxTokenLength } from './token-runs.ts';

const JOINER = 0x200d;
/** Puts the digit before it on a key. */
const KEYCAP = 0x20e3;
const EMOJI_STYLE = 0xfe0f;
/** First pictograph that is a letter as well. */
const PICTOGRAPHS_FROM = 0x2139;

export function createStandardTokenizer(maxTokenLength: number = MAX_TOKEN_LENGTH): Tokenizer {
  const classes = createWordClasses();
  return {
    name: 'standard',
    maxWordLength: maxTokenLength,
    tokenize(text, consume) {
      new WordScanner(text, classes, maxTokenLength).run(consume);
    },
  };
}

/** Finds words in a text, from any position. */
export class WordScanner {
  private readonly text: string;
  private readonly classes: WordClasses;
  private readonly maxLength: number;
  /** No token may reach beyond it. */
  private limit = 0;
  /** Type of the token that was found last. */
  type: TokenType = '<ALPHANUM>';

  constructor(text: string, classes: WordClasses, maxLength: number) {
    this.text = text;
    this.classes = classes;
    this.maxLength = maxLength;
  }

  run(consume: TokenConsumer): void {
    const { text } = this;
    const length = text.length;
    let at = 0;
    while (at < length) {
      const end = this.endOfTokenAt(at);
      if (end > at) {
        consume(text.slice(at, end), at, end, 1, this.type);
        at = end;
      } else {
        const code = text.charCodeAt(at);
        at += code >= 0xd800 && code < 0xdc00 ? 2 : 1;
      }
    }
  }

  /** End of the token that starts at `at`; `at` when none does. Sets `type`. */
  endOfTokenAt(at: number): number {
    const { ascii } = this.classes;
    const code = this.text.charCodeAt(at);
    if (this.text.charCodeAt(at + 1) >= KEYCAP) {
      const end = this.keycapEnd(at);
      if (end > at) return end;
    }
    if (code < 128 && ascii[code] !== LETTER && ascii[code] !== NUMERIC && ascii[code] !== CONNECTOR) return at;
    this.limit = Math.min(this.text.length, at + this.maxLength);
    const end = code < 128 && ascii[code] === LETTER ? this.plainWordEnd(at) : -1;
    return end < 0 ? this.tokenEnd(at) : end;
  }

  /** End of a word of ASCII letters, digits and connectors that nothing joins to what follows; -1 when that is not sure. */
  private plainWordEnd(start: number): number {
    const { text, limit } = this;
    const { ascii } = this.classes;
    let end = start + 1;
    while (end < limit) {
      const code = text.charCodeAt(end);
      if (code >= 128) return -1;
      const c = ascii[code] as number;
      if (c === OTHER) break;
      if (c > CONNECTOR) {
        // A full stop or apostrophe joins only what goes on behind it.
        const next = end + 1 < limit ? text.charCodeAt(end + 1) : 0x20;
        if (next >= 128 || ascii[next] === LETTER || ascii[next] === NUMERIC || end + 1 === limit) return -1;
        break;
      }
      end++;
    }
    if (end === limit && limit < text.length) return -1;
    this.type = '<ALPHANUM>';
    return end;
  }

  private classAt(at: number): number {
    if (at >= this.limit) return OTHER;
    const code = this.text.charCodeAt(at);
    if (code < 128) return this.classes.ascii[code] ?? OTHER;
    return this.classes.of(this.text.codePointAt(at) ?? 0);
  }

  /** Behind the character at `at` and the marks that belong to it. */
  private after(at: number): number {
    const code = this.text.charCodeAt(at);
    let next = at + (code >= 0xd800 && code < 0xdc00 ? 2 : 1);
    while (next < this.limit && this.text.charCodeAt(next) >= 128 && this.classAt(next) === EXTEND) {
      const extend = this.text.charCodeAt(next);
      next += extend >= 0xd800 && extend < 0xdc00 ? 2 : 1;
    }
    return Math.min(next, this.limit);
  }

  /** End of the longest token that starts at `start`; `start` when none does. Sets `type`. */
  private tokenEnd(start: number): number {
    switch (this.classAt(start)) {
      case HAN:
        this.type = '<IDEOGRAPHIC>';
        return this.after(start);
      case HIRAGANA:
        this.type = '<HIRAGANA>';
        return this.after(start);
      case EXTEND:
        return this.markEnd(start);
      case COMPLEX:
        this.type = '<SOUTHEAST_ASIAN>';
        return this.complexEnd(start);
      case EMOJI:
      case REGIONAL:
        this.type = '<EMOJI>';
        return this.emojiEnd(start);
      case LETTER:
        return this.letterEnd(start);
      default:
        return this.wordEnd(start);
    }
  }

  /** End of a word that starts with a letter; some letters by themselves are pictographs, such as the circled M. */
  private letterEnd(start: number): number {
    const end = this.wordEnd(start);
    const first = this.text.codePointAt(start) ?? 0;
    if (first < PICTOGRAPHS_FROM || end > this.after(start) || !isPictograph(first)) return end;
    this.type = '<EMOJI>';
    return this.emojiEnd(start);
  }

  /** End of a token that starts with a mark of what is no part of one. */
  private markEnd(start: number): number {
    const mark = this.text.codePointAt(start) ?? 0;
    const next = this.after(start);
    if (isComplexMark(mark)) {
      this.type = '<SOUTHEAST_ASIAN>';
      return this.complexEnd(next);
    }
    if (isPictograph(mark) || (mark === JOINER && this.classAt(next) === EMOJI)) {
      this.type = '<EMOJI>';
      return this.emojiEnd(mark === JOINER ? next : start);
    }
    return this.wordEnd(start);
  }

  private complexEnd(start: number): number {
    let at = start;
    while (this.classAt(at) === COMPLEX) at = this.after(at);
    return at;
  }

  /** End of a digit, `#` or `*` on a key; `start` where there is none, or a longer word. */
  private keycapEnd(start: number): number {
    if (!/[0-9#*]/.test(this.text.charAt(start))) return start;
    const cap = start + (this.text.charCodeAt(start + 1) === EMOJI_STYLE ? 2 : 1);
    this.limit = Math.min(this.text.length, start + this.maxLength);
    if (this.text.charCodeAt(cap) !== KEYCAP || cap >= this.limit) return start;
    const end = this.after(start);
    if (this.wordEnd(start) > end) return start;
    this.type = '<EMOJI>';
    return end;
  }

  private emojiEnd(start: number): number {
    const first = this.classAt(start);
    const end = this.after(start);
    if (first === REGIONAL) return this.classAt(end) === REGIONAL ? this.after(end) : start;
    let at = end;
    while (this.text.charCodeAt(at - 1) === JOINER && this.classAt(at) === EMOJI) at = this.after(at);
    return at;
  }

  private wordEnd(start: number): number {
    let at = start;
    // Bits of the classes seen, for the type of the token.
    let seen = 0;
    let previous = OTHER;
    for (;;) {
      const c = this.classAt(at);
      const isWordPart = c === LETTER || c === NUMERIC || c === HANGUL || c === HEBREW;
      if (isWordPart) {
        if (previous === KATAKANA) break;
      } else if (c === KATAKANA) {
        if (previous !== OTHER && previous !== KATAKANA && previous !== CONNECTOR) break;
      } else if (c !== CONNECTOR) {
        const joined = this.joinedBy(c, previous, at);
        if (joined === at) break;
        at = joined;
        continue;
      }
      previous = c;
      seen |= 1 << c;
      at = this.after(at);
    }
    if ((seen & ~(1 << CONNECTOR)) === 0) return start;
    this.type = typeOf(seen);
    return at;
  }

  /** Position of the character that a joining mark at `at` connects to; `at` when it does not join. */
  private joinedBy(mark: number, previous: number, at: number): number {
    const isLetter = previous === LETTER || previous === HANGUL || previous === HEBREW;
    if (!isLetter && previous !== NUMERIC) return at;
    const next = this.after(at);
    const following = mark >= MID_LETTER && mark <= DOUBLE_QUOTE ? this.classAt(next) : OTHER;
    const isMidBoth = mark === MID_NUM_LET || mark === SINGLE_QUOTE;
    if (isLetter) {
      const isFollowed = following === LETTER || following === HANGUL || following === HEBREW;
      if (isFollowed && (isMidBoth || mark === MID_LETTER)) return next;
      if (previous === HEBREW && mark === DOUBLE_QUOTE && following === HEBREW) return next;
      return at;
    }
    return following === NUMERIC && (isMidBoth || mark === MID_NUM) ? next : at;
  }
}

function typeOf(seen: number): TokenType {
  if ((seen & ~((1 << NUMERIC) | (1 << CONNECTOR))) === 0) return '<NUM>';
  if (seen === 1 << HANGUL) return '<HANGUL>';
  if (seen === 1 << KATAKANA) return '<KATAKANA>';
  return '<ALPHANUM>';
}

export const standardTokenizer: TokenizerType = {
  type: 'standard',
  options: ['max_token_length'],
  create: (options) => createStandardTokenizer(maxTokenLength(options)),
};

/**
 * The standard tokenizer's rules for text of plain ASCII, without a string or a call a token: what indexing uses where an
 * analyzer does no more than cut words and lower their case. The tokenizer itself is its twin: both cut alike.
 */
import {
  asciiClasses,
  CONNECTOR,
  DOUBLE_QUOTE,
  LETTER,
  MID_LETTER,
  MID_NUM,
  MID_NUM_LET,
  NUMERIC,
  OTHER,
  SINGLE_QUOTE,
} from './word-classes.ts';

/** What an analyzer does with words, when that is all. */
export interface AsciiWordRules {
  readonly maxTokenLength: number;
  readonly lowercases: boolean;
}

const ASCII_MAX = 0x7f;

export function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > ASCII_MAX) return false;
  return true;
}

/** Goes over a text from word to word. */
export class AsciiWords {
  start = 0;
  end = 0;
  readonly maxLength: number;
  private readonly classes: Uint8Array;

  constructor(maxTokenLength: number) {
    this.maxLength = maxTokenLength;
    this.classes = asciiClasses();
  }

  /** The next word that starts at `from` or later: at `start` to `end`; false when there is none. */
  next(text: string, from: number): boolean {
    const { classes } = this;
    const { length } = text;
    let at = from;
    while (at < length) {
      const first = classes[text.charCodeAt(at)] as number;
      if (first === OTHER || first > CONNECTOR) {
        at++;
        continue;
      }
      const end = this.wordEnd(text, at, Math.min(length, at + this.maxLength));
      if (end > at) {
        this.start = at;
        this.end = end;
        return true;
      }
      at++;
    }
    return false;
  }

  /** `start` when nothing but connectors stands there. */
  private wordEnd(text: string, start: number, limit: number): number {
    const { classes } = this;
    let previous = OTHER;
    let isWord = false;
    let at = start;
    while (at < limit) {
      const c = classes[text.charCodeAt(at)] as number;
      if (c === LETTER || c === NUMERIC) isWord = true;
      else if (c !== CONNECTOR) {
        if (at + 1 >= limit || !joins(c, previous, classes[text.charCodeAt(at + 1)] as number)) break;
        at++;
        continue;
      }
      previous = c;
      at++;
    }
    return isWord ? at : start;
  }
}

function joins(mark: number, previous: number, following: number): boolean {
  if (mark < MID_LETTER || mark > DOUBLE_QUOTE) return false;
  const isMidBoth = mark === MID_NUM_LET || mark === SINGLE_QUOTE;
  if (previous === LETTER) return following === LETTER && (isMidBoth || mark === MID_LETTER);
  return previous === NUMERIC && following === NUMERIC && (isMidBoth || mark === MID_NUM);
}

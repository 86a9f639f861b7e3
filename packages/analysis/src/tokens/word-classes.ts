/**
 * Word-break classes of characters (Unicode Standard Annex #29), as the standard tokenizer needs them.
 *
 * ASCII comes from a table; everything else from Unicode properties, remembered per character of the basic plane. A
 * class table belongs to one tokenizer, so that nothing is shared between engines.
 */

import { PICTOGRAPH } from './pictographs.ts';

export const OTHER = 0;
export const LETTER = 1;
export const NUMERIC = 2;
/** Connects words: `_`. */
export const CONNECTOR = 3;
export const MID_LETTER = 4;
export const MID_NUM_LET = 5;
export const MID_NUM = 6;
export const SINGLE_QUOTE = 7;
export const DOUBLE_QUOTE = 8;
export const KATAKANA = 9;
export const HAN = 10;
export const HIRAGANA = 11;
/** Scripts without spaces that need a dictionary: Thai, Lao, Khmer, Myanmar and kin. */
export const COMPLEX = 12;
export const HANGUL = 13;
export const HEBREW = 14;
/** Belongs to the character before it: combining marks, format characters, the zero-width joiner. */
export const EXTEND = 15;
export const EMOJI = 16;
/** Half a flag. */
export const REGIONAL = 17;

/** Scripts of `COMPLEX`. */
const COMPLEX_SCRIPTS =
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Myanmar}\\p{Script=Khmer}\\p{Script=Tai_Le}\\p{Script=New_Tai_Lue}\\p{Script=Tai_Tham}\\p{Script=Tai_Viet}\\p{Script=Ahom}';

/** Signs of those scripts that are no letters, and stand in words all the same (Line_Break=SA). */
const COMPLEX_SIGNS =
  '\\u109e\\u109f\\u19da\\u19de\\u19df\\u1aa0-\\u1aad\\uaa77-\\uaa79\\uaade\\uaadf\\u{1173a}\\u{1173b}\\u{1173f}';

// U+1A7F is a mark of Tai Tham that any word may carry.
const COMPLEX_MARK = new RegExp(`^(?!\\u1a7f)(?=\\p{M})[${COMPLEX_SCRIPTS}]$`, 'u');

const UNKNOWN = 255;

/** Classes in the order in which they are tried. */
const RULES: readonly (readonly [number, RegExp])[] = [
  [REGIONAL, /^\p{Regional_Indicator}$/u],
  [EXTEND, /^(?:[\p{Mn}\p{Me}\p{Mc}\p{Emoji_Modifier}\u200c\uff9e\uff9f]|\u200d)$/u],
  [KATAKANA, /^[\p{Script=Katakana}\u3031-\u3035\u309b\u309c\u30a0\u30fc\uff70]$/u],
  [HIRAGANA, /^\p{Script=Hiragana}$/u],
  // The marks that repeat an ideograph are letters.
  [HAN, /^(?![\u3005\u303b\u{16fe3}])[\p{Script=Han}\u3007\u3021-\u3029]$/u],
  [HANGUL, /^(?=\p{Alphabetic})\p{Script=Hangul}$/u],
  [HEBREW, /^(?=\p{Lo})\p{Script=Hebrew}$/u],
  [COMPLEX, new RegExp(`^(?:(?=[\\p{L}\\p{M}])[${COMPLEX_SCRIPTS}]|[${COMPLEX_SIGNS}])$`, 'u')],
  [NUMERIC, /^[\p{Nd}\u066b]$/u],
  [MID_LETTER, /^[\u00b7\u0387\u05f4\u2027\ufe13\ufe55\uff1a]$/u],
  [MID_NUM_LET, /^[\u2018\u2019\u2024\ufe52\uff07\uff0e]$/u],
  [MID_NUM, /^[\u037e\u0589\u060c\u060d\u066c\u07f8\u2044\ufe10\ufe14\ufe50\ufe54\uff0c\uff1b]$/u],
  [CONNECTOR, /^[\p{Pc}\u202f]$/u],
  [
    LETTER,
    /^(?!\p{Ideographic})[\p{Alphabetic}\u02c2-\u02c5\u02d2-\u02d7\u02de\u02df\u02ed\u02ef-\u02ff\u055b\u055c\u055e\u05f3\ua720\ua721\ua789\ua78a\uab5b]$/u,
  ],
  // Also those that are shown as text, such as the copyright sign.
  [EMOJI, PICTOGRAPH],
  // The zero-width space ends a word; it is the one format character that does not belong to what is before it.
  [OTHER, /^\u200b$/u],
  [EXTEND, /^\p{Cf}$/u],
];

export interface WordClasses {
  /** Class of each ASCII character. */
  readonly ascii: Uint8Array;
  /** Class of any code point. */
  of(codePoint: number): number;
}

export function createWordClasses(): WordClasses {
  const ascii = asciiClasses();
  const basicPlane = new Uint8Array(0x10000).fill(UNKNOWN);
  return {
    ascii,
    of(codePoint) {
      if (codePoint >= 0x10000) return classify(codePoint);
      const known = basicPlane[codePoint] ?? UNKNOWN;
      if (known !== UNKNOWN) return known;
      const found = codePoint < 128 ? (ascii[codePoint] ?? OTHER) : classify(codePoint);
      basicPlane[codePoint] = found;
      return found;
    },
  };
}

/** Class of each ASCII character. */
export function asciiClasses(): Uint8Array {
  const classes = new Uint8Array(128);
  for (let c = 0; c < 128; c++) {
    const lower = c | 0x20;
    if (lower >= 0x61 && lower <= 0x7a) classes[c] = LETTER;
    else if (c >= 0x30 && c <= 0x39) classes[c] = NUMERIC;
  }
  classes[0x5f] = CONNECTOR;
  classes[0x3a] = MID_LETTER;
  classes[0x2e] = MID_NUM_LET;
  classes[0x2c] = MID_NUM;
  classes[0x3b] = MID_NUM;
  classes[0x27] = SINGLE_QUOTE;
  classes[0x22] = DOUBLE_QUOTE;
  return classes;
}

function classify(codePoint: number): number {
  const text = String.fromCodePoint(codePoint);
  for (const [value, pattern] of RULES) if (pattern.test(text)) return value;
  return OTHER;
}

/** A mark of a script of `COMPLEX`: at the start of a token it belongs to what follows it. */
export function isComplexMark(codePoint: number): boolean {
  return COMPLEX_MARK.test(String.fromCodePoint(codePoint));
}

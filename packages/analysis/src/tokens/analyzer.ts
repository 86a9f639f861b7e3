/**
 * Text to tokens: what index time and query time share, so that both cut text alike.
 */
import type { AsciiWordRules } from './ascii-words.ts';

/** Token classes as `_analyze` shows them. */
export type TokenType =
  | '<ALPHANUM>'
  | '<NUM>'
  | '<IDEOGRAPHIC>'
  | '<HIRAGANA>'
  | '<KATAKANA>'
  | '<HANGUL>'
  | '<SOUTHEAST_ASIAN>'
  | '<EMOJI>'
  | 'word';

/**
 * Called once a token, in order. Offsets are UTF-16 positions in the analysed text, end exclusive. `positionIncrement` is
 * 1 for the next word, more where tokens were removed before it, 0 for a token at the place of the one before.
 */
export type TokenConsumer = (
  term: string,
  startOffset: number,
  endOffset: number,
  positionIncrement: number,
  type: TokenType,
) => void;

export interface Analyzer {
  readonly name: string;
  /** Positions added between two values of one field; Elasticsearch's default is 100. */
  readonly positionIncrementGap: number;
  /** How it cuts text of plain ASCII, when that is simple enough to do without it. */
  readonly asciiWords?: AsciiWordRules | null;
  analyze(text: string, consume: TokenConsumer): void;
  /** The text as one term, changed only as every letter is: lower case, folding. For patterns, which are not cut into words. */
  normalize(text: string): string;
}

/**
 * Tokens on their way: what a tokenizer calls once a token, and filters hand on.
 */

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
  | '<URL>'
  | '<EMAIL>'
  | '<APOSTROPHE>'
  | '<ACRONYM>'
  | '<ACRONYM_DEP>'
  | '<COMPANY>'
  | '<HOST>'
  | '<CJ>'
  | '<SINGLE>'
  | '<DOUBLE>'
  | 'MIN_HASH'
  | 'SYNONYM'
  | 'fingerprint'
  | 'gram'
  | 'shingle'
  | 'word';

/** What a token has beside its term and place; most have nothing of it. */
export interface TokenAttributes {
  /** Positions that the token spans, at least 1: more than 1 only for an edge of a token graph. */
  readonly positionLength: number;
  /** Stemmers leave the term as it is. */
  readonly isKeyword: boolean;
  /** Bytes that `delimited_payload` took from the text; null without any. */
  readonly payload: Uint8Array | null;
}

/**
 * Called once a token, in order. Offsets are UTF-16 positions in the analysed text, end exclusive. `positionIncrement` is
 * 1 for the next word, more where tokens were removed before it, 0 for a token at the place of the one before. `attributes` are
 * left out of a plain token: one position long, no keyword, no payload.
 */
export type TokenConsumer = (
  term: string,
  startOffset: number,
  endOffset: number,
  positionIncrement: number,
  type: TokenType,
  attributes?: TokenAttributes,
) => void;

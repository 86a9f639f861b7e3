/**
 * A token as an object: for filters that hold several at once. Between stages that need no more than one it is never made.
 */
import type { TokenAttributes, TokenConsumer, TokenType } from './token-consumer.ts';

export interface Token extends TokenAttributes {
  readonly term: string;
  /** UTF-16 position in the analysed text. */
  readonly start: number;
  /** UTF-16 position behind its last character. */
  readonly end: number;
  /** Positions from the token before, 0 at its place. */
  readonly increment: number;
  readonly type: TokenType;
}

export function tokenOf(
  term: string,
  start: number,
  end: number,
  increment: number,
  type: TokenType,
  attributes: TokenAttributes | undefined,
): Token {
  const { positionLength = 1, isKeyword = false, payload = null } = attributes ?? {};
  return { term, start, end, increment, type, positionLength, isKeyword, payload };
}

/** Hands a token on; a plain one without attributes. */
export function passToken(token: Token, next: TokenConsumer): void {
  const isPlain = token.positionLength === 1 && !token.isKeyword && token.payload === null;
  next(token.term, token.start, token.end, token.increment, token.type, isPlain ? undefined : token);
}

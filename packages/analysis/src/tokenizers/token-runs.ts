/**
 * Tokens as runs of one sort of character: what the tokenizers `whitespace`, `letter` and `lowercase` share.
 */
import { illegalArgument } from '@shoal/core';
import { type ComponentOptions, readInteger } from '../tokens/component-options.ts';
import type { TokenConsumer } from '../tokens/token-consumer.ts';

/** Default `max_token_length`, in UTF-16 units. */
export const MAX_TOKEN_LENGTH = 255;

/** Largest `max_token_length` that an index may declare, Lucene's limit. */
const MAX_TOKEN_LENGTH_LIMIT = 1_048_576;

/** @throws ShoalError illegal_argument_exception outside of 1 to the limit */
export function maxTokenLength(options: ComponentOptions): number {
  const length = readInteger(options, 'max_token_length', MAX_TOKEN_LENGTH);
  if (length < 1) throw illegalArgument('maxTokenLength must be greater than zero');
  if (length > MAX_TOKEN_LENGTH_LIMIT) {
    throw illegalArgument(`maxTokenLength may not exceed ${MAX_TOKEN_LENGTH_LIMIT}`);
  }
  return length;
}

/** The same for tokenizers of characters, in words of their own. */
export function maxRunLength(options: ComponentOptions): number {
  const length = readInteger(options, 'max_token_length', MAX_TOKEN_LENGTH);
  if (length > 0 && length <= MAX_TOKEN_LENGTH_LIMIT) return length;
  throw illegalArgument(`maxTokenLen must be greater than 0 and less than ${MAX_TOKEN_LENGTH_LIMIT} passed: ${length}`);
}

/** Tokens are runs of characters that `part` matches, cut as soon as they have `maxTokenLength` UTF-16 units: a pair is not cut. */
export function tokenizeRuns(text: string, part: RegExp, maxTokenLength: number, consume: TokenConsumer): void {
  const run = new RegExp(`(?:${part.source})+`, `${part.flags}g`);
  for (const { 0: found, index } of text.matchAll(run)) {
    for (let at = 0; at < found.length; ) {
      const limit = at + maxTokenLength;
      const end =
        limit < found.length && isSecondHalf(found.charCodeAt(limit)) ? limit + 1 : Math.min(limit, found.length);
      consume(found.slice(at, end), index + at, index + end, 1, 'word');
      at = end;
    }
  }
}

/** Whether a UTF-16 unit is the second of a pair. */
function isSecondHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

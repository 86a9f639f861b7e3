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

/**
 * Tokens are runs of characters that `part` matches, cut as soon as they have `maxTokenLength` UTF-16 units: a pair is not cut.
 *
 * The expression takes no more than one token at a time: V8 keeps a place to return to for each pair that it passes, without end in a
 * run without end.
 */
export function tokenizeRuns(text: string, part: RegExp, maxTokenLength: number, consume: TokenConsumer): void {
  const run = new RegExp(`(?:${part.source}){1,${maxTokenLength}}`, `${part.flags}g`);
  for (let match = run.exec(text); match !== null; match = run.exec(text)) {
    const start = match.index;
    const limit = start + maxTokenLength;
    const isCutPair = limit < run.lastIndex && isSecondHalf(text.charCodeAt(limit));
    const end = Math.min(run.lastIndex, isCutPair ? limit + 1 : limit);
    consume(text.slice(start, end), start, end, 1, 'word');
    run.lastIndex = end;
  }
}

/** Whether a UTF-16 unit is the second of a pair. */
function isSecondHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

/**
 * Tokens as runs of one sort of character: what the tokenizers `whitespace`, `letter` and `lowercase` share.
 */
import type { TokenConsumer } from '../tokens/analyzer.ts';
import { type ComponentOptions, readInteger } from '../tokens/component-options.ts';

/** Default `max_token_length`, in UTF-16 units. */
export const MAX_TOKEN_LENGTH = 255;

export function maxTokenLength(options: ComponentOptions): number {
  return readInteger(options, 'max_token_length', MAX_TOKEN_LENGTH);
}

/** Tokens are runs of characters that `part` matches, cut after `maxTokenLength`. */
export function tokenizeRuns(text: string, part: RegExp, maxTokenLength: number, consume: TokenConsumer): void {
  const run = new RegExp(`(?:${part.source}){1,${maxTokenLength}}`, `${part.flags}g`);
  for (const match of text.matchAll(run)) {
    consume(match[0], match.index, match.index + match[0].length, 1, 'word');
  }
}

/**
 * Tokens as what stands between the matches of a pattern; empty ones are left out.
 */
import type { TokenConsumer } from '../tokens/token-consumer.ts';

export interface MatchSpan {
  readonly start: number;
  readonly end: number;
}

export function emitBetween(text: string, matches: Iterable<MatchSpan>, consume: TokenConsumer): void {
  let from = 0;
  for (const { start, end } of matches) {
    if (start > from) consume(text.slice(from, start), from, start, 1, 'word');
    from = end;
  }
  if (from < text.length) consume(text.slice(from), from, text.length, 1, 'word');
}

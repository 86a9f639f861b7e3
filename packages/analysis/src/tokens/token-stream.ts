/**
 * Token filters as steps of a stream: what filters that look ahead need before and behind them.
 */
import { passToken, type Token, tokenOf } from './token.ts';
import type { TokenConsumer } from './token-consumer.ts';
import { type ConsumerFilter, isStreamFilter, type StreamEnd, type TokenFilter } from './token-stage.ts';

/**
 * Tokens behind a chain of filters. Nothing is done before the first one is asked for.
 *
 * @param end is whole when the last token was taken
 */
export function applyFilters(
  filters: readonly TokenFilter[],
  tokens: Iterable<Token>,
  end: StreamEnd,
): Iterable<Token> {
  return filters.reduce<Iterable<Token>>(
    (before, filter) => (isStreamFilter(filter) ? filter.transform(before, end) : consumed(filter, before, end)),
    tokens,
  );
}

/** All tokens that `produce` hands to its consumer. */
export function collectTokens(produce: (next: TokenConsumer) => void): readonly Token[] {
  const tokens: Token[] = [];
  produce((...parts) => tokens.push(partsToToken(parts)));
  return tokens;
}

/** What a filter makes of each token comes out before the next goes in. */
function* consumed(filter: ConsumerFilter, tokens: Iterable<Token>, end: StreamEnd): Iterable<Token> {
  const made: Token[] = [];
  const target = filter.into((...parts) => made.push(partsToToken(parts)));
  let removed = 0;
  for (const token of tokens) {
    passToken(token, target);
    removed = made.length > 0 ? 0 : removed + token.increment;
    yield* made;
    made.length = 0;
  }
  end.increment += removed;
}

function partsToToken([term, start, end, increment, type, attributes]: Parameters<TokenConsumer>): Token {
  return tokenOf(term, start, end, increment, type, attributes);
}

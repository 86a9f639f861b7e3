/**
 * Token filter `predicate_token_filter`: only tokens that a script says yes to.
 */
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { Token } from '../../tokens/token.ts';
import type { StreamEnd } from '../../tokens/token-stage.ts';
import { readTokenPredicate, SCRIPT_OPTIONS, type TokenPredicate } from './token-predicate.ts';

export const predicateTokenFilter: TokenFilterType = {
  type: 'predicate_token_filter',
  options: SCRIPT_OPTIONS,
  needsOptions: true,
  create: (options, _context, name) => {
    const predicate = readTokenPredicate(options, name);
    return { name: 'predicate_token_filter', transform: (tokens, end) => kept(tokens, predicate, end) };
  },
};

function* kept(tokens: Iterable<Token>, predicate: TokenPredicate, end: StreamEnd): Iterable<Token> {
  const holds = predicate();
  let skipped = 0;
  for (const token of tokens) {
    if (holds(token)) {
      yield { ...token, increment: token.increment + skipped };
      skipped = 0;
    } else skipped += token.increment;
  }
  end.increment += skipped;
}

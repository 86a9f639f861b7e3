/**
 * Token filter `multiplexer`: each token through several chains of filters, all results at its position, none twice.
 */
import { illegalArgument } from '@shoal/core';
import { readFlag, readList } from '../../tokens/component-options.ts';
import type { TokenFilterType } from '../../tokens/component-type.ts';
import type { Token } from '../../tokens/token.ts';
import type { TokenFilter } from '../../tokens/token-stage.ts';
import { applyFilters } from '../../tokens/token-stream.ts';

export const multiplexer: TokenFilterType = {
  type: 'multiplexer',
  options: ['filters', 'preserve_original'],
  create: (options, { tokenFilter }, name) => {
    const preservesOriginal = readFlag(options, 'preserve_original', true);
    const chains = (readList(options, 'filters') ?? []).map((chain) =>
      chain
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
        .map((part) => {
          const filter = tokenFilter(part);
          if (filter !== null) return filter;
          throw illegalArgument(`Multiplexing filter [${name}] refers to undefined tokenfilter [${part}]`);
        }),
    );
    const all = preservesOriginal ? [[], ...chains] : chains;
    return {
      name: 'multiplexer',
      inSynonymRules: 'refused',
      shows: all.flat().flatMap((filter) => filter.shows ?? []),
      transform: (tokens) => multiplexed(tokens, all),
    };
  },
};

function* multiplexed(tokens: Iterable<Token>, chains: readonly (readonly TokenFilter[])[]): Iterable<Token> {
  let skipped = 0;
  const seen = new Set<string>();
  for (const token of tokens) {
    let increment = token.increment + skipped;
    if (increment > 0) seen.clear();
    for (const chain of chains) {
      for (const made of applyFilters(chain, [{ ...token, increment: 1 }], { offset: token.end, increment: 0 })) {
        if (seen.has(made.term)) continue;
        seen.add(made.term);
        yield { ...made, increment };
        increment = 0;
      }
    }
    skipped = increment;
  }
}

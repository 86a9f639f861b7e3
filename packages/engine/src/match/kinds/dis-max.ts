/**
 * dis_max on a shard.
 */
import type { DisMaxQuery } from '@shoal/query';
import { checkTieBreaker, disMaxWeight } from '../scorers/boolean-weight.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

export const disMax: QueryBehaviour<DisMaxQuery> = {
  compile(ctx, { queries, tieBreaker }, use, compileInner) {
    checkTieBreaker(tieBreaker);
    const weights = queries.map((one) => compileInner(ctx, one, use));
    return disMaxWeight(weights, Math.fround(tieBreaker));
  },
  describe: ({ queries }, textOf) => ({ type: 'DisjunctionMaxQuery', text: `(${queries.map(textOf).join(' | ')})` }),
  canMatch: (_ctx, { queries }, canInnerMatch) => queries.some(canInnerMatch),
  mark({ queries }, _sink, markInner) {
    for (const one of queries) markInner(one);
  },
};

/**
 * boosting on a shard.
 */
import type { BoostingQuery } from '@shoal/query';
import { boostingWeight } from '../scorers/boolean-weight.ts';
import { type QueryBehaviour, UNSCORED } from './query-behaviour.ts';

export const boosting: QueryBehaviour<BoostingQuery> = {
  compile(ctx, query, use, compileInner) {
    const negative = compileInner(ctx, query.negative, UNSCORED);
    const positive = compileInner(ctx, query.positive, { ...use, boost: 1 });
    return boostingWeight(positive, negative, Math.fround(query.negativeBoost), use.boost);
  },
  describe: ({ positive, negative }, textOf) => ({
    type: 'BoostingQuery',
    text: `BoostingQuery(${textOf(positive)}, ${textOf(negative)})`,
  }),
  canMatch: (_ctx, { positive }, canInnerMatch) => canInnerMatch(positive),
  mark: ({ positive }, _sink, markInner) => markInner(positive),
};

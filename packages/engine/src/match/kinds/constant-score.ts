/**
 * constant_score on a shard.
 */
import type { ConstantScoreQuery } from '@shoal/query';
import { constantScoreWeight } from '../bits/constant-weight.ts';
import { type QueryBehaviour, UNSCORED } from './query-behaviour.ts';

export const constantScore: QueryBehaviour<ConstantScoreQuery> = {
  compile: (ctx, { filter }, use, compileInner) => constantScoreWeight(compileInner(ctx, filter, UNSCORED), use.boost),
  describe: ({ filter }, textOf) => ({ type: 'ConstantScoreQuery', text: `ConstantScore(${textOf(filter)})` }),
  canMatch: (_ctx, { filter }, canInnerMatch) => canInnerMatch(filter),
  mark: ({ filter }, _sink, markInner) => markInner(filter),
};

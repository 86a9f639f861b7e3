/**
 * match_all and match_none on a shard.
 */
import type { MatchAllQuery, MatchNoneQuery } from '@shoal/query';
import { allDocsWeight } from '../bits/constant-weight.ts';
import { NOTHING_WANTED } from '../weight/weight.ts';
import { markNothing, type QueryBehaviour } from './query-behaviour.ts';

export const matchAll: QueryBehaviour<MatchAllQuery> = {
  compile: (_ctx, _query, use) => allDocsWeight(use.boost),
  describe: () => ({ type: 'MatchAllDocsQuery', text: '*:*' }),
  mark: markNothing,
};

export const matchNone: QueryBehaviour<MatchNoneQuery> = {
  compile: () => NOTHING_WANTED,
  describe: () => ({ type: 'MatchNoDocsQuery', text: 'MatchNoDocsQuery("")' }),
  canMatch: () => false,
  mark: markNothing,
};

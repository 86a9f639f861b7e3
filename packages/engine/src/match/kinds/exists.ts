/**
 * exists on a shard.
 */
import type { ExistsQuery } from '@shoal/query';
import { existsWeight } from '../compile/compile-term-level.ts';
import { canHoldField } from '../metadata/metadata-queries.ts';
import { markNothing, type QueryBehaviour } from './query-behaviour.ts';

export const exists: QueryBehaviour<ExistsQuery> = {
  compile: existsWeight,
  describe: ({ field }) => ({ type: 'ExistsQuery', text: `ConstantScore(exists:${field})` }),
  canMatch: (ctx, { field }) => canHoldField(ctx, field),
  mark: markNothing,
};

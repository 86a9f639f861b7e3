/**
 * ids on a shard.
 */
import type { IdsQuery } from '@shoal/query';
import { idsWeight } from '../compile/compile-term-level.ts';
import { markNothing, type QueryBehaviour } from './query-behaviour.ts';

export const ids: QueryBehaviour<IdsQuery> = {
  compile: (ctx, { values }, use) => idsWeight(ctx, values, use),
  describe: ({ values }) => ({ type: 'TermInSetQuery', text: `_id:(${values.join(' ')})` }),
  mark: markNothing,
};

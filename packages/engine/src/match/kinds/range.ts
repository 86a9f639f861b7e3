/**
 * range on a shard.
 */
import type { RangeQuery } from '@shoal/query';
import { canHoldRange, rangeWeight } from '../compile/compile-term-level.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

export const range: QueryBehaviour<RangeQuery> = {
  compile: rangeWeight,
  describe({ field, from, includesFrom, to, includesTo }) {
    const open = includesFrom ? '[' : '{';
    const close = includesTo ? ']' : '}';
    return { type: 'RangeQuery', text: `${field}:${open}${from ?? '*'} TO ${to ?? '*'}${close}` };
  },
  canMatch: canHoldRange,
  mark: (query, sink) => sink.range(query),
};

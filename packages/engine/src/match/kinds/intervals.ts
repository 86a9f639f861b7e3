/**
 * intervals on a shard.
 */
import type { IntervalsQuery } from '@shoal/query';
import { intervalsWeight } from '../compile/compile-intervals.ts';
import { markIntervals } from './marked-positions.ts';
import type { QueryBehaviour } from './query-behaviour.ts';

export const intervals: QueryBehaviour<IntervalsQuery> = {
  compile: intervalsWeight,
  describe: () => ({ type: 'IntervalsQuery', text: '' }),
  mark(query, sink) {
    const field = sink.textField(query.field);
    if (field !== null) markIntervals(sink, field, query.source);
  },
};

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
    // The one of vectors passes over queries that it does not know, and this is one.
    if (sink.highlighter === 'fvh') return;
    const field = sink.textField(query.field);
    if (field !== null) markIntervals(sink, field, query.source);
  },
};

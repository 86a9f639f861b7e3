/**
 * `intervals`: documents in which terms of a field stand in a given arrangement.
 */
import { noInner, type QueryKind } from '../../node/query-kind.ts';
import type { IntervalsQuery } from './interval-tree.ts';
import { parseIntervals } from './parse-intervals.ts';
import { readIntervals } from './read-intervals.ts';

export const intervals: QueryKind<IntervalsQuery> = {
  kind: 'intervals',
  parse: parseIntervals,
  read: readIntervals,
  inner: noInner,
};

/**
 * `stats`, `extended_stats`, and `min`, `max`, `sum`, `avg`, `value_count`: all are values of the same partial result.
 */
import type { MetricKind } from '../../contract/aggregation-kind.ts';
import { severalValues } from '../../contract/path-context.ts';
import { invalidOrderPath } from '../../request/bucket-order.ts';
import { renderStats } from './render-stats.ts';
import { mergeStats, STATS_PARTIAL, type StatsPartial } from './stats-partial.ts';
import { readStats, type StatsAggregation, statsParser } from './stats-request.ts';
import { statsOrder, statsValue } from './stats-values.ts';

export const stats: MetricKind<StatsAggregation, StatsPartial> = {
  family: 'metric',
  kind: 'stats',
  parsers: {
    avg: statsParser('avg'),
    extended_stats: statsParser('extended_stats'),
    max: statsParser('max'),
    min: statsParser('min'),
    stats: statsParser('stats'),
    sum: statsParser('sum'),
    value_count: statsParser('value_count'),
  },
  read: readStats,
  partial: STATS_PARTIAL,
  reduceUnits: 0.1,
  isWholeAlone: true,
  resultType: ({ type }) => type,
  reduce: (_, partials) => mergeStats(partials),
  members: renderStats,
  orderMetric: (aggregation, named, path) => {
    if (!hasSeveralValues(aggregation)) return aggregation.type;
    if (named !== null) return named;
    throw invalidOrderPath(path, `[${aggregation.name}] has several values, one must be named.`);
  },
  orderNumber: statsOrder,
  pathNumber: (aggregation, partial, [metric]) => {
    if (!hasSeveralValues(aggregation)) return statsValue(partial, aggregation.type);
    if (metric === undefined) throw severalValues(aggregation.name);
    return statsValue(partial, metric);
  },
};

function hasSeveralValues({ type }: StatsAggregation): boolean {
  return type === 'stats' || type === 'extended_stats';
}

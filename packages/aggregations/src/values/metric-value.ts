/**
 * The numbers that a metric's partial result stands for: shown in answers, and what buckets are ordered by.
 */

import type {
  PartialResult,
  PercentilesPartial,
  StatsPartial,
  WeightedAveragePartial,
} from '../partials/partial-result.ts';
import { TDigest } from '../sketches/t-digest.ts';
import type { Aggregation, MetricAggregation } from '../tree/aggregation.ts';
import type { MetricPath } from './parse-order.ts';

/** Has no buckets, and so no children. */
export function isMetric(aggregation: Aggregation): aggregation is MetricAggregation {
  switch (aggregation.kind) {
    case 'stats':
    case 'cardinality':
    case 'percentiles':
    case 'weightedAverage':
      return true;
    default:
      return false;
  }
}

/** NaN where there are no values. */
export function statsValue(stats: StatsPartial, metric: string): number {
  const { count, sum } = stats;
  switch (metric) {
    case 'count':
    case 'value_count':
      return count;
    case 'sum':
      return sum;
    case 'min':
      return count === 0 ? Number.NaN : stats.min;
    case 'max':
      return count === 0 ? Number.NaN : stats.max;
    case 'avg':
      return count === 0 ? Number.NaN : sum / count;
    case 'sum_of_squares':
      return stats.sumOfSquares;
    case 'variance':
    case 'variance_population':
      return variance(stats);
    case 'variance_sampling':
      return variance(stats, 1);
    case 'std_deviation':
    case 'std_deviation_population':
      return Math.sqrt(variance(stats));
    case 'std_deviation_sampling':
      return Math.sqrt(variance(stats, 1));
    default:
      return Number.NaN;
  }
}

/** Divided by the count less `less`: 0 for the population, 1 for a sample. */
function variance({ count, sum, sumOfSquares }: StatsPartial, less = 0): number {
  if (count <= less) return Number.NaN;
  const spread = (sumOfSquares - (sum * sum) / count) / (count - less);
  return Math.max(spread, 0);
}

export const MEDIAN_DEVIATION = 'median_absolute_deviation';

/** The median distance from the median, of the clusters that stand for the values. */
export function medianDeviation({ sketch }: PercentilesPartial): number {
  if (!(sketch instanceof TDigest)) return Number.NaN;
  const median = sketch.quantile(0.5);
  const { means, weights } = sketch.clusters();
  const distances = Array.from(means, (mean, i) => ({ mean: Math.abs(mean - median), weight: weights[i] ?? 0 }));
  distances.sort((a, b) => a.mean - b.mean);
  const clusters = {
    means: Float64Array.from(distances, ({ mean }) => mean),
    weights: Float64Array.from(distances, ({ weight }) => weight),
  };
  const [least, most] = [clusters.means[0] ?? Number.NaN, clusters.means.at(-1) ?? Number.NaN];
  return TDigest.of(sketch.compression, clusters, least, most).quantile(0.5);
}

/** NaN where nothing weighs anything. */
export function weightedAverage({ sum, weight }: WeightedAveragePartial): number {
  return sum / weight;
}

/** What an order's path leads to, from a bucket's children; NaN where there are no values. */
export function metricAt(children: readonly PartialResult[], path: MetricPath, type: string): number {
  let level = children;
  for (const [depth, step] of path.steps.entries()) {
    const partial = level[step];
    if (partial === undefined) return Number.NaN;
    const isLast = depth === path.steps.length - 1;
    if (!isLast) {
      level = partial.kind === 'filters' ? (partial.buckets[0]?.children ?? []) : [];
      continue;
    }
    return metricOf(partial, path.metric === 'value' ? type : path.metric);
  }
  return Number.NaN;
}

function metricOf(partial: PartialResult, metric: string): number {
  switch (partial.kind) {
    case 'stats':
      return statsValue(partial, metric);
    case 'cardinality':
      return partial.sketch.cardinality();
    case 'percentiles':
      return metric === MEDIAN_DEVIATION ? medianDeviation(partial) : partial.sketch.quantile(Number(metric) / 100);
    case 'weightedAverage':
      return weightedAverage(partial);
    case 'filters':
      return partial.buckets[0]?.docCount ?? 0;
    default:
      return Number.NaN;
  }
}

/**
 * Values of the stats by the names that answers, orders and paths give them.
 */
import type { StatsPartial } from './stats-partial.ts';

/** NaN where there are no values, and for a name that is none. */
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

/** What buckets are sorted by: without values the least is +Infinity and the largest -Infinity, which stand before or behind all others. */
export function statsOrder(stats: StatsPartial, metric: string): number {
  if (metric === 'min') return stats.min;
  return metric === 'max' ? stats.max : statsValue(stats, metric);
}

/** Squared deviations divided by the count less `less`: 0 for the population, 1 for a sample. */
function variance({ count, sum, sumOfSquares }: StatsPartial, less = 0): number {
  if (count <= less) return Number.NaN;
  const spread = (sumOfSquares - (sum * sum) / count) / (count - less);
  return Math.max(spread, 0);
}

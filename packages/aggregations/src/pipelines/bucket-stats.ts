/**
 * Stats of the values of all buckets, which `stats_bucket` and `extended_stats_bucket` show.
 */
import type { TakenValue } from '../contract/pipeline-kind.ts';
import { renderStatsValues } from '../kinds/stats/render-stats.ts';
import type { StatsPartial } from '../kinds/stats/stats-partial.ts';
import { statsValue } from '../kinds/stats/stats-values.ts';
import type { PipelineValue } from '../tree/finished-level.ts';
import type { PipelineNode } from '../tree/pipeline-node.ts';
import { PLAIN_FORMAT } from '../values/value-format.ts';
import { largestOf, sumOf } from './pipeline-values.ts';

export function bucketStats(
  { kind, format }: PipelineNode,
  type: 'stats' | 'extended_stats',
  sigma: number,
  taken: readonly TakenValue[],
): PipelineValue {
  const values = taken.map(({ value }) => value);
  const stats: StatsPartial = {
    kind: 'stats',
    format: format === null ? PLAIN_FORMAT : { kind: 'decimal', pattern: format },
    count: values.length,
    sum: sumOf(values),
    min: -largestOf(values.map((value) => -value)),
    max: largestOf(values),
    sumOfSquares: sumOf(values.map((value) => value * value)),
  };
  return {
    typeName: kind,
    number: (metric) => (metric === undefined ? null : statsValue(stats, metric)),
    members: () => renderStatsValues(type, stats, sigma),
  };
}

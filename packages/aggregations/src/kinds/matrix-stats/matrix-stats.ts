/**
 * `matrix_stats`: how the values of several fields are spread, and how they go together.
 */
import { DoubleNumber, illegalArgument } from '@shoal/core';
import type { MetricKind } from '../../contract/aggregation-kind.ts';
import type { Members } from '../../render/members.ts';
import { invalidOrderPath } from '../../request/bucket-order.ts';
import { JointMoments } from '../../sketches/joint-moments.ts';
import { hashOrder } from '../../values/hash-order.ts';
import { MATRIX_STATS_PARTIAL, type MatrixStatsPartial } from './matrix-stats-partial.ts';
import { type MatrixStatsAggregation, parseMatrixStats, readMatrixStats } from './matrix-stats-request.ts';

export const matrixStats: MetricKind<MatrixStatsAggregation, MatrixStatsPartial> = {
  family: 'metric',
  kind: 'matrixStats',
  parsers: { matrix_stats: parseMatrixStats },
  read: readMatrixStats,
  partial: MATRIX_STATS_PARTIAL,
  reduceUnits: 2,
  isWholeAlone: true,
  resultType: () => 'matrix_stats',
  reduce: (_, partials) => merged(partials),
  members: (_, partial) => {
    const { fields, moments } = partial;
    if (moments.count === 0) return { doc_count: 0 };
    return { doc_count: moments.count, fields: hashOrder(fields).map((field) => membersOf(partial, field)) };
  },
  orderMetric: (_aggregation, _named, path) => {
    throw invalidOrderPath(path, 'matrix_stats has no number to order by');
  },
  orderNumber: () => Number.NaN,
  pathNumber: ({ name }) => {
    throw illegalArgument(
      `buckets_path must reference either a number value or a single value numeric metric aggregation, got: [InternalMatrixStats] at aggregation [${name}]`,
    );
  },
};

/** @throws ShoalError for results of indices that do not know the same fields: their moments do not go together */
function merged(partials: readonly MatrixStatsPartial[]): MatrixStatsPartial {
  const measured = partials.filter(({ moments }) => moments.count > 0);
  const [first] = measured.length === 0 ? partials : measured;
  const fields = first?.fields ?? [];
  const moments = new JointMoments(fields.length);
  for (const partial of measured) {
    if (partial.fields.join('\n') !== fields.join('\n'))
      throw illegalArgument('[matrix_stats] over indices with different fields is not supported by this server');
    moments.merge(partial.moments);
  }
  return { kind: 'matrixStats', fields, moments };
}

function membersOf({ fields, moments }: MatrixStatsPartial, field: string): Members {
  const { count, means, squares, cubes, fourths } = moments;
  const i = fields.indexOf(field);
  const square = squares[i] as number;
  const others = hashOrder(fields);
  const spread = (other: number): number => Math.sqrt((squares[other] as number) / (count - 1));
  const covariance = (j: number): number => (moments.products[i * fields.length + j] as number) / (count - 1);
  const correlation = (j: number): number => (i === j ? 1 : covariance(j) / (spread(i) * spread(j)));
  const row = (of: (j: number) => number): Members =>
    Object.fromEntries(others.map((other) => [other, shown(of(fields.indexOf(other)))]));
  return {
    name: field,
    count,
    mean: shown(means[i] as number),
    variance: shown(square / (count - 1)),
    skewness: shown((Math.sqrt(count) * (cubes[i] as number)) / square ** 1.5),
    kurtosis: shown((count * (fourths[i] as number)) / square ** 2),
    covariance: row(covariance),
    correlation: row(correlation),
  };
}

function shown(value: number): unknown {
  return Number.isNaN(value) ? 'NaN' : new DoubleNumber(value);
}

/**
 * Metrics of many shards to one: sums added, sketches merged.
 */
import { illegalArgument, unreachable } from '@shoal/core';
import { KahanSum } from '../partials/kahan-sum.ts';
import {
  type CardinalityPartial,
  expectKind,
  type PartialResult,
  type PercentilesPartial,
  PLAIN_FORMAT,
  type StatsPartial,
  type ValueFormat,
} from '../partials/partial-result.ts';
import { HdrSketch } from '../sketches/hdr-sketch.ts';
import { HyperLogLog, precisionOf } from '../sketches/hyper-log-log.ts';
import { TDigest } from '../sketches/t-digest.ts';
import type { MetricAggregation, PercentilesAggregation } from '../tree/aggregation.ts';

/** Microseconds that the result of one more shard costs, about. */
export const METRIC_UNITS: Readonly<Record<MetricAggregation['kind'], number>> = {
  stats: 0.1,
  weightedAverage: 0.1,
  cardinality: 20,
  percentiles: 20,
};

export function reduceMetric(aggregation: MetricAggregation, partials: readonly PartialResult[]): PartialResult {
  switch (aggregation.kind) {
    case 'stats':
      return reduceStats(ofKind(partials, 'stats'));
    case 'cardinality': {
      const sketch = new HyperLogLog(precisionOf(aggregation.precisionThreshold));
      for (const partial of ofKind(partials, 'cardinality')) mergeSketch(sketch, partial);
      return { kind: 'cardinality', sketch };
    }
    case 'percentiles':
      return reducePercentiles(aggregation, ofKind(partials, 'percentiles'));
    case 'weightedAverage': {
      const sum = new KahanSum();
      const weight = new KahanSum();
      for (const partial of ofKind(partials, 'weightedAverage')) {
        sum.add(partial.sum);
        weight.add(partial.weight);
      }
      return { kind: 'weightedAverage', sum: sum.value, weight: weight.value };
    }
    default:
      return unreachable(aggregation);
  }
}

export function ofKind<Kind extends PartialResult['kind']>(
  partials: readonly PartialResult[],
  kind: Kind,
): readonly Extract<PartialResult, { kind: Kind }>[] {
  return partials.map((partial) => expectKind(partial, kind));
}

/** Shards that do not have the field say nothing of its format. */
export function formatOf(partials: readonly { readonly format: ValueFormat }[]): ValueFormat {
  return partials.find(({ format }) => format.kind !== 'plain')?.format ?? PLAIN_FORMAT;
}

function reduceStats(partials: readonly StatsPartial[]): StatsPartial {
  let [count, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const sum = new KahanSum();
  const sumOfSquares = new KahanSum();
  for (const partial of partials) {
    count += partial.count;
    min = Math.min(min, partial.min);
    max = Math.max(max, partial.max);
    sum.add(partial.sum);
    sumOfSquares.add(partial.sumOfSquares);
  }
  return {
    kind: 'stats',
    format: formatOf(partials),
    count,
    sum: sum.value,
    min,
    max,
    sumOfSquares: sumOfSquares.value,
  };
}

function mergeSketch(into: HyperLogLog, { sketch }: CardinalityPartial): void {
  if (sketch.precision !== into.precision)
    throw illegalArgument('shards counted distinct values with different precision');
  into.merge(sketch);
}

function reducePercentiles(
  { method }: PercentilesAggregation,
  partials: readonly PercentilesPartial[],
): PercentilesPartial {
  const format = formatOf(partials);
  if (method.kind === 'hdr') {
    const sketch = new HdrSketch(method.digits);
    for (const partial of partials) if (partial.sketch instanceof HdrSketch) sketch.merge(partial.sketch);
    return { kind: 'percentiles', format, sketch };
  }
  const sketch = new TDigest(method.compression);
  for (const partial of partials) if (partial.sketch instanceof TDigest) sketch.merge(partial.sketch);
  return { kind: 'percentiles', format, sketch };
}

/**
 * `cardinality`: the count of distinct values, nearly.
 */
import { illegalArgument } from '@shoal/core';
import type { MetricKind } from '../../contract/aggregation-kind.ts';
import { SKETCH_UNITS } from '../../contract/partial-kind.ts';
import { HyperLogLog, precisionOf } from '../../sketches/hyper-log-log.ts';
import { CARDINALITY_PARTIAL, type CardinalityPartial } from './cardinality-partial.ts';
import { type CardinalityAggregation, parseCardinality, readCardinality } from './cardinality-request.ts';

export const cardinality: MetricKind<CardinalityAggregation, CardinalityPartial> = {
  family: 'metric',
  kind: 'cardinality',
  parsers: { cardinality: parseCardinality },
  read: readCardinality,
  partial: CARDINALITY_PARTIAL,
  reduceUnits: SKETCH_UNITS,
  isWholeAlone: true,
  resultType: () => 'cardinality',
  reduce: ({ precisionThreshold }, partials) => {
    const merged = new HyperLogLog(precisionOf(precisionThreshold));
    for (const { sketch } of partials) {
      if (sketch.precision !== merged.precision) {
        throw illegalArgument('shards counted distinct values with different precision');
      }
      merged.merge(sketch);
    }
    return { kind: 'cardinality', sketch: merged };
  },
  members: (_, { sketch }) => ({ value: sketch.cardinality() }),
  orderMetric: () => 'value',
  orderNumber: ({ sketch }) => sketch.cardinality(),
  pathNumber: (_, { sketch }) => sketch.cardinality(),
};

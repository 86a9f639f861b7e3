/**
 * `weighted_avg`: values, each times its weight, divided by all weights.
 */
import type { MetricKind } from '../../contract/aggregation-kind.ts';
import type { LeafPartialKind } from '../../contract/partial-kind.ts';
import { shownDouble } from '../../render/members.ts';
import type { PartialNode } from '../../tree/partial-node.ts';
import { printDecimal } from '../../values/decimal-pattern.ts';
import { KahanSum } from '../../values/kahan-sum.ts';
import {
  parseWeightedAverage,
  readWeightedAverage,
  type WeightedAverageAggregation,
} from './weighted-average-request.ts';

export interface WeightedAveragePartial extends PartialNode {
  readonly kind: 'weightedAverage';
  /** Sum of values times their weights. */
  readonly sum: number;
  readonly weight: number;
}

const WEIGHTED_AVERAGE_PARTIAL: LeafPartialKind<WeightedAveragePartial> = {
  family: 'leaf',
  kind: 'weightedAverage',
  units: 0.2,
  write: (sink, partial) => {
    sink.f64(partial.sum);
    sink.f64(partial.weight);
  },
  read: (from) => ({ kind: 'weightedAverage', sum: from.f64(), weight: from.f64() }),
  emptied: (partial) => ({ ...partial, sum: 0, weight: 0 }),
};

export const weightedAverage: MetricKind<WeightedAverageAggregation, WeightedAveragePartial> = {
  family: 'metric',
  kind: 'weightedAverage',
  parsers: { weighted_avg: parseWeightedAverage },
  read: readWeightedAverage,
  partial: WEIGHTED_AVERAGE_PARTIAL,
  reduceUnits: 0.1,
  isWholeAlone: true,
  resultType: () => 'weighted_avg',
  reduce: (_, partials) => {
    const sum = new KahanSum();
    const weight = new KahanSum();
    for (const partial of partials) {
      sum.add(partial.sum);
      weight.add(partial.weight);
    }
    return { kind: 'weightedAverage', sum: sum.value, weight: weight.value };
  },
  members: ({ source: { format } }, partial) => {
    const value = average(partial);
    const text = format === null || Number.isNaN(value) ? undefined : printDecimal(value, format);
    return { value: shownDouble(value), value_as_string: text };
  },
  orderMetric: () => 'value',
  orderNumber: average,
  pathNumber: (_, partial) => average(partial),
};

/** NaN where nothing weighs anything. */
function average({ sum, weight }: WeightedAveragePartial): number {
  return sum / weight;
}

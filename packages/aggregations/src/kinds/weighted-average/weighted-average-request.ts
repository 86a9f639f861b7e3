/**
 * Requests of `weighted_avg`.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export interface WeightedAverageAggregation extends AggregationNode {
  readonly kind: 'weightedAverage';
  /** Field of the values; its `format` is that of the answer. */
  readonly source: ValuesSource;
  readonly weight: ValuesSource;
}

export const parseWeightedAverage: AggregationParser<WeightedAverageAggregation> = (named, options) => {
  const value = options.object('value');
  const weight = options.object('weight');
  if (value === null) throw illegalArgument('Required [value]');
  if (weight === null) throw illegalArgument('Required [weight]');
  const format = options.string('format');
  options.ignore('value_type');
  const [source, weightSource] = [parseValuesSource(value), parseValuesSource(weight)];
  value.finish();
  weight.finish();
  return { ...named, kind: 'weightedAverage', source: { ...source, format }, weight: weightSource };
};

export function readWeightedAverage(r: ValueReader, named: NamedParts): WeightedAverageAggregation {
  const [source, weight] = [readValuesSource(r.object('source')), readValuesSource(r.object('weight'))];
  return { ...named, kind: 'weightedAverage', source, weight };
}

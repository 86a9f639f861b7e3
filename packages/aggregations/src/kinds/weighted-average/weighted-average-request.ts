/**
 * Requests of `weighted_avg`.
 */
import type { ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { checkNumericType } from '../../request/value-type.ts';
import { parseFieldOrScript, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';

export interface WeightedAverageAggregation extends AggregationNode {
  readonly kind: 'weightedAverage';
  /** Field of the values; its `format` is that of the answer. */
  readonly source: ValuesSource;
  readonly weight: ValuesSource;
}

export const parseWeightedAverage: AggregationParser<WeightedAverageAggregation> = (named, options) => {
  const source = parseFieldOrScript(options, 'value');
  const weight = parseFieldOrScript(options, 'weight');
  const format = options.string('format');
  checkNumericType(options);
  return { ...named, kind: 'weightedAverage', source: { ...source, format }, weight };
};

export function readWeightedAverage(r: ValueReader, named: NamedParts): WeightedAverageAggregation {
  const [source, weight] = [readValuesSource(r.object('source')), readValuesSource(r.object('weight'))];
  return { ...named, kind: 'weightedAverage', source, weight };
}

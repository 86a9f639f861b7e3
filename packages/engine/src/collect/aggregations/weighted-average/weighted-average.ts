/**
 * Collector of `weighted_avg`.
 */
import type { WeightedAverageAggregation } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { resolveSource } from '../values/field-values.ts';
import { checkKeyed, notNumeric } from '../values/numeric-source.ts';
import { WeightedAverageCollector } from './weighted-average-collector.ts';

export const weightedAverage: CollectorKind<WeightedAverageAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile }, request) => {
    const [value, weight] = [resolveSource(compile, request.source), resolveSource(compile, request.weight)];
    for (const source of [value, weight]) {
      if (source.kind !== null && source.keyKind === 'text') throw notNumeric(source, 'weighted_avg');
      checkKeyed(source, 'weighted_avg');
    }
    return new WeightedAverageCollector(value, weight);
  },
};

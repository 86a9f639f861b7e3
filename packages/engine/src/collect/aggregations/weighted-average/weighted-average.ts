/**
 * Collector of `weighted_avg`.
 */
import type { WeightedAverageAggregation } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { numericSource } from '../values/numeric-source.ts';
import { WeightedAverageCollector } from './weighted-average-collector.ts';

export const weightedAverage: CollectorKind<WeightedAverageAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile }, request) => {
    const value = numericSource(compile, request.source, 'weighted_avg');
    const weight = numericSource(compile, request.weight, 'weighted_avg');
    return new WeightedAverageCollector(value, weight);
  },
};

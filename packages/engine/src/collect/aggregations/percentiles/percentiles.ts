/**
 * Collector of `percentiles`, `percentile_ranks` and `median_absolute_deviation`.
 */
import type { PercentilesAggregation } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { numericSource } from '../values/numeric-source.ts';
import { PercentilesCollector } from './percentiles-collector.ts';

export const percentiles: CollectorKind<PercentilesAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop }, request) =>
    new PercentilesCollector(request, numericSource(compile, request.source, request.type), isTop),
};

/**
 * Collector of `percentiles`, `percentile_ranks` and `median_absolute_deviation`.
 */
import type { PercentilesAggregation } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { HistogramBatch, histogramSource } from '../values/histogram-batch.ts';
import { numericSource } from '../values/numeric-source.ts';
import { PercentilesCollector } from './percentiles-collector.ts';

export const percentiles: CollectorKind<PercentilesAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop }, request) => {
    const counted = request.type === 'median_absolute_deviation' ? null : histogramSource(compile, request.source);
    const source = counted?.source ?? numericSource(compile, request.source, request.type);
    return new PercentilesCollector(request, source, isTop, counted && new HistogramBatch(counted));
  },
};

/**
 * Collector of `rate`.
 */
import type { RateAggregation } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { HistogramBatch, histogramSource } from '../values/histogram-batch.ts';
import { numericSource } from '../values/numeric-source.ts';
import { DocumentRateCollector, HistogramRateCollector, NumberRateCollector } from './rate-collectors.ts';

export const rate: CollectorKind<RateAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile }, { source, mode }) => {
    if (source === null) return new DocumentRateCollector();
    const counted = histogramSource(compile, source);
    if (counted !== null) return new HistogramRateCollector(new HistogramBatch(counted), mode);
    return new NumberRateCollector(numericSource(compile, source, 'rate'), mode);
  },
};

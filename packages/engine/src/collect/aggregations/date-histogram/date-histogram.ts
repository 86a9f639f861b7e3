/**
 * Collector of `date_histogram`.
 */
import type { DateHistogramAggregation } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { HistogramCollector } from '../histogram/histogram-collector.ts';
import { numericSource } from '../values/numeric-source.ts';
import { dateIntervals } from '../values/value-intervals.ts';

export const dateHistogram: CollectorKind<DateHistogramAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop }, aggregation, children) => {
    const source = numericSource(compile, aggregation.source, 'date_histogram', aggregation.interval.timeZone);
    const intervals = dateIntervals(aggregation.interval);
    return new HistogramCollector({ aggregation, intervals, source, children, isTop });
  },
};

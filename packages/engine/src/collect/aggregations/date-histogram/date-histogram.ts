/**
 * Collector of `date_histogram`.
 */
import { type DateHistogramAggregation, histogramSpans } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { HistogramCollector } from '../histogram/histogram-collector.ts';
import { asDates, numericSource } from '../values/numeric-source.ts';
import { dateIntervals } from '../values/value-intervals.ts';

export const dateHistogram: CollectorKind<DateHistogramAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop }, aggregation, children) => {
    const source = numericSource(compile, asDates(aggregation.source), 'date_histogram', aggregation.interval.timeZone);
    const intervals = dateIntervals(aggregation.interval);
    const round = (ms: number): number => intervals.round(ms);
    const reading = { round, offset: aggregation.interval.offsetMs, clock: compile.clock };
    const { hard: span } = histogramSpans(aggregation, source.format, reading);
    return new HistogramCollector({ name: 'DateHistogramAggregator', span, intervals, source, children, isTop });
  },
};

/**
 * Collector of `histogram`.
 */
import { type HistogramAggregation, histogramSpans } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { numericSource } from '../values/numeric-source.ts';
import { equalIntervals } from '../values/value-intervals.ts';
import { HistogramCollector } from './histogram-collector.ts';

export const histogram: CollectorKind<HistogramAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop }, aggregation, children) => {
    const source = numericSource(compile, aggregation.source, 'histogram');
    const intervals = equalIntervals(aggregation.interval, aggregation.offset);
    const round = (value: number): number => intervals.round(value);
    const reading = { round, offset: aggregation.offset, clock: compile.clock };
    const { hard: span } = histogramSpans(aggregation, source.format, reading);
    return new HistogramCollector({ name: 'NumericHistogramAggregator', span, intervals, source, children, isTop });
  },
};

/**
 * Collector of `date_histogram`.
 */
import { type DateHistogramAggregation, histogramSpans } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { HistogramCollector } from '../histogram/histogram-collector.ts';
import { RangeHistogramCollector } from '../histogram/range-histogram-collector.ts';
import { rangeSource } from '../histogram/range-source.ts';
import { asDates, numericSource } from '../values/numeric-source.ts';
import { dateIntervals } from '../values/value-intervals.ts';

export const dateHistogram: CollectorKind<DateHistogramAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop }, aggregation, children) => {
    const { timeZone } = aggregation.interval;
    const ofRanges = rangeSource(compile, aggregation.source, { takesDatesAlone: true, timeZone });
    const source =
      ofRanges?.source ?? numericSource(compile, asDates(compile, aggregation.source), 'date_histogram', timeZone);
    const intervals = dateIntervals(aggregation.interval);
    const round = (ms: number): number => intervals.round(ms);
    const reading = { round, offset: aggregation.interval.offsetMs, clock: compile.clock };
    const { hard: span } = histogramSpans(aggregation, source.format, reading);
    if (ofRanges !== null) {
      // Ranges end in the interval that holds the upper bound.
      const cut = { least: span.least, most: span.most + 1 };
      return new RangeHistogramCollector({
        name: 'DateRangeHistogramAggregator',
        span: cut,
        intervals,
        ...ofRanges,
        children,
      });
    }
    return new HistogramCollector({ name: 'DateHistogramAggregator', span, intervals, source, children, isTop });
  },
};

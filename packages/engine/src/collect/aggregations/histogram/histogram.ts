/**
 * Collector of `histogram`.
 */
import { type HistogramAggregation, histogramSpans } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { checkIsLeaf, histogramSource } from '../values/histogram-batch.ts';
import { numericSource } from '../values/numeric-source.ts';
import { equalIntervals } from '../values/value-intervals.ts';
import { CountedHistogramCollector } from './counted-histogram-collector.ts';
import { HistogramCollector } from './histogram-collector.ts';
import { RangeHistogramCollector } from './range-histogram-collector.ts';
import { rangeSource } from './range-source.ts';

export const histogram: CollectorKind<HistogramAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop }, aggregation, children) => {
    const ofRanges = rangeSource(compile, aggregation.source, { takesDatesAlone: false });
    const counted = histogramSource(compile, aggregation.source);
    if (counted !== null) checkIsLeaf('Histogram', children);
    const source = ofRanges?.source ?? counted?.source ?? numericSource(compile, aggregation.source, 'histogram');
    const intervals = equalIntervals(aggregation.interval, aggregation.offset);
    const round = (value: number): number => intervals.round(value);
    const reading = { round, offset: aggregation.offset, clock: compile.clock };
    const { hard: span } = histogramSpans(aggregation, source.format, reading);
    if (ofRanges !== null) {
      // Hard bounds are compared with the ends of ranges, which no offset moves.
      const cut = { least: span.least - aggregation.offset, most: span.most - aggregation.offset };
      return new RangeHistogramCollector({
        name: 'RangeHistogramAggregator',
        span: cut,
        intervals,
        ...ofRanges,
        children,
      });
    }
    if (counted !== null) {
      const { read } = counted;
      return new CountedHistogramCollector({
        name: 'HistoBackedHistogramAggregator',
        ...{ span, intervals, source, read, children },
      });
    }
    return new HistogramCollector({ name: 'NumericHistogramAggregator', span, intervals, source, children, isTop });
  },
};

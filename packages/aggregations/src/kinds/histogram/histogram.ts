/**
 * `histogram`: a bucket for each interval of a number.
 */
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { severalBuckets } from '../../contract/path-context.ts';
import { keyText } from '../../render/key-text.ts';
import { HISTOGRAM_PARTIAL, type HistogramPartial } from './histogram-partial.ts';
import { type HistogramAggregation, parseHistogram, readHistogram } from './histogram-request.ts';
import { type Intervals, reduceHistogram } from './reduce-histogram.ts';
import { histogramClass, renderHistogram } from './render-histogram.ts';

export const histogram: BucketKind<HistogramAggregation, HistogramPartial> = {
  family: 'bucket',
  kind: 'histogram',
  parsers: { histogram: parseHistogram },
  read: readHistogram,
  partial: HISTOGRAM_PARTIAL,
  isSequence: true,
  nextKey: (aggregation, key) => equalIntervals(aggregation).next(key),
  hasSeveralBuckets: () => true,
  isOrderStep: () => false,
  checkParents: () => undefined,
  resultType: () => 'histogram',
  reduce: (aggregation, partials, context) =>
    reduceHistogram(aggregation, () => equalIntervals(aggregation), partials, context),
  render: (aggregation, partial, to, isFirst) => renderHistogram(aggregation, partial, false, to, isFirst),
  keyText: (_, { format }, { key }) => keyText(key, format, true),
  pathNumber: (aggregation, partial, path) => severalBuckets(aggregation, partial, path, histogramClass(partial)),
};

function equalIntervals({ interval, offset }: HistogramAggregation): Intervals {
  return {
    offset,
    round: (value) => Math.floor((value - offset) / interval) * interval + offset,
    // By number, not by adding: sums of an interval such as 0.1 would drift away from the keys of the shards.
    next: (key) => (Math.round((key - offset) / interval) + 1) * interval + offset,
  };
}

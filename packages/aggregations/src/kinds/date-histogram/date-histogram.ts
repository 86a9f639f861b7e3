/**
 * `date_histogram`: a bucket for each interval of time.
 */
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { severalBuckets } from '../../contract/path-context.ts';
import { DateRounding } from '../../intervals/date-rounding.ts';
import { keyText } from '../../render/key-text.ts';
import { HISTOGRAM_PARTIAL, type HistogramPartial } from '../histogram/histogram-partial.ts';
import { reduceHistogram } from '../histogram/reduce-histogram.ts';
import { histogramClass, renderHistogram } from '../histogram/render-histogram.ts';
import { type DateHistogramAggregation, parseDateHistogram, readDateHistogram } from './date-histogram-request.ts';

export const dateHistogram: BucketKind<DateHistogramAggregation, HistogramPartial> = {
  family: 'bucket',
  kind: 'dateHistogram',
  parsers: { date_histogram: parseDateHistogram },
  read: readDateHistogram,
  partial: HISTOGRAM_PARTIAL,
  isSequence: true,
  nextKey: ({ interval }, key) => new DateRounding(interval).next(key),
  hasSeveralBuckets: () => true,
  isOrderStep: () => false,
  checkParents: () => undefined,
  resultType: () => 'date_histogram',
  reduce: (aggregation, partials, context) =>
    reduceHistogram(aggregation, () => new DateRounding(aggregation.interval), partials, context),
  render: (aggregation, partial, to, isFirst) => renderHistogram(aggregation, partial, true, to, isFirst),
  keyText: (_, { format }, { key }) => keyText(key, format, true),
  pathNumber: (aggregation, partial, path) => severalBuckets(aggregation, partial, path, histogramClass(partial)),
};

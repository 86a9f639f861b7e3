/**
 * Requests of `date_histogram`.
 */
import type { ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { type DateInterval, parseDateInterval, readDateInterval } from '../../intervals/date-interval.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';
import { type HistogramOptions, parseHistogramOptions, readHistogramOptions } from '../histogram/histogram-options.ts';

export interface DateHistogramAggregation extends AggregationNode, HistogramOptions {
  readonly kind: 'dateHistogram';
  readonly source: ValuesSource;
  readonly interval: DateInterval;
}

export const parseDateHistogram: AggregationParser<DateHistogramAggregation> = (named, options) => ({
  ...named,
  kind: 'dateHistogram',
  source: parseValuesSource(options),
  interval: parseDateInterval(options),
  ...parseHistogramOptions(options, named.name),
});

export function readDateHistogram(r: ValueReader, named: NamedParts): DateHistogramAggregation {
  return {
    ...named,
    kind: 'dateHistogram',
    source: readValuesSource(r.object('source')),
    interval: readDateInterval(r.object('interval')),
    ...readHistogramOptions(r),
  };
}

/**
 * Requests of `histogram`.
 */
import { illegalArgument, type ValueReader } from '@shoal/core';
import type { AggregationParser } from '../../contract/aggregation-parser.ts';
import { readPositive } from '../../request/number-options.ts';
import { parseValuesSource, readValuesSource, type ValuesSource } from '../../request/values-source.ts';
import type { AggregationNode, NamedParts } from '../../tree/aggregation-node.ts';
import { type HistogramOptions, parseHistogramOptions, readHistogramOptions } from './histogram-options.ts';

export interface HistogramAggregation extends AggregationNode, HistogramOptions {
  readonly kind: 'histogram';
  readonly source: ValuesSource;
  readonly interval: number;
  readonly offset: number;
}

export const parseHistogram: AggregationParser<HistogramAggregation> = (named, options) => {
  const source = parseValuesSource(options);
  const interval = options.number('interval');
  if (interval === null) throw illegalArgument('Required [interval]');
  if (interval <= 0) throw illegalArgument(`[interval] must be >0 for histogram aggregation [${named.name}]`);
  const offset = options.number('offset') ?? 0;
  return { ...named, kind: 'histogram', source, interval, offset, ...parseHistogramOptions(options, named.name) };
};

export function readHistogram(r: ValueReader, named: NamedParts): HistogramAggregation {
  return {
    ...named,
    kind: 'histogram',
    source: readValuesSource(r.object('source')),
    interval: readPositive(r, 'interval'),
    offset: r.number('offset'),
    ...readHistogramOptions(r),
  };
}

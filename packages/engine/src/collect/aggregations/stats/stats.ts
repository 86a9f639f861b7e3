/**
 * Collectors of `stats`, `extended_stats`, and of one of their values alone.
 */
import type { StatsAggregation, StatsType } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { resolveSource } from '../values/field-values.ts';
import { histogramSource } from '../values/histogram-batch.ts';
import { numericSource } from '../values/numeric-source.ts';
import { HistogramStatsCollector } from './histogram-stats-collector.ts';
import { StatsCollector } from './stats-collector.ts';
import { TextCountCollector } from './text-count-collector.ts';

/** Stats that follow from counted values. */
const TYPES_OF_HISTOGRAMS: ReadonlySet<StatsType> = new Set<StatsType>(['avg', 'max', 'min', 'sum', 'value_count']);

export const stats: CollectorKind<StatsAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop, kernels }, request) => {
    const counted = TYPES_OF_HISTOGRAMS.has(request.type) ? histogramSource(compile, request.source) : null;
    if (counted !== null) return new HistogramStatsCollector(counted);
    if (request.type !== 'value_count') {
      return new StatsCollector(request, numericSource(compile, request.source, request.type), isTop, kernels);
    }
    const source = resolveSource(compile, request.source);
    const areTexts = source.keyKind === 'text' && source.kind !== null && source.scripted === undefined;
    return areTexts ? new TextCountCollector(source) : new StatsCollector(request, source, isTop, kernels);
  },
};

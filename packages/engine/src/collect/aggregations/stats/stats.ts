/**
 * Collectors of `stats`, `extended_stats`, and of one of their values alone.
 */
import type { StatsAggregation } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { resolveSource } from '../values/field-values.ts';
import { numericSource } from '../values/numeric-source.ts';
import { StatsCollector } from './stats-collector.ts';
import { TextCountCollector } from './text-count-collector.ts';

export const stats: CollectorKind<StatsAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop, kernels }, request) => {
    if (request.type !== 'value_count') {
      return new StatsCollector(request, numericSource(compile, request.source, request.type), isTop, kernels);
    }
    const source = resolveSource(compile, request.source);
    const areTexts = source.keyKind === 'text' && source.kind !== null && source.scripted === undefined;
    return areTexts ? new TextCountCollector(source) : new StatsCollector(request, source, isTop, kernels);
  },
};

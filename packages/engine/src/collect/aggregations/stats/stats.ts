/**
 * Collectors of `stats`, `extended_stats`, and of one of their values alone.
 */
import type { StatsAggregation } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { resolveSource } from '../values/field-values.ts';
import { checkKeyed, notNumeric } from '../values/numeric-source.ts';
import { StatsCollector } from './stats-collector.ts';
import { TextCountCollector } from './text-count-collector.ts';

export const stats: CollectorKind<StatsAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop, kernels }, request) => {
    const source = resolveSource(compile, request.source);
    if (request.type !== 'value_count') checkKeyed(source, request.type);
    if (source.keyKind !== 'text' || source.kind === null) return new StatsCollector(request, source, isTop, kernels);
    if (request.type === 'value_count') return new TextCountCollector(source);
    throw notNumeric(source, request.type);
  },
};

/**
 * Collectors of `cardinality`.
 */
import type { CardinalityAggregation } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { resolveSource } from '../values/field-values.ts';
import { NumberCardinalityCollector, TextCardinalityCollector } from './cardinality-collectors.ts';

export const cardinality: CollectorKind<CardinalityAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop, kernels }, request) => {
    const source = resolveSource(compile, request.source);
    if (source.keyKind === 'text') return new TextCardinalityCollector(request, source, isTop);
    return new NumberCardinalityCollector(request, source, isTop, kernels);
  },
};

/**
 * Collector of all aggregations whose buckets are queries.
 */
import type { FiltersAggregation } from '@shoal/aggregations';
import { compileQuery } from '../../../match/registry/compile-query.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { FiltersCollector } from './filters-collector.ts';

const UNSCORED = { boost: 1, isScored: false };

export const filters: CollectorKind<FiltersAggregation> = {
  ignoresQuery: ({ type }) => type === 'global',
  collector: ({ compile }, request, children) => {
    const weights = request.filters.map(({ query }) => compileQuery(compile, query, UNSCORED));
    return new FiltersCollector(request, weights, children);
  },
};

/**
 * Collector of all aggregations whose buckets are queries.
 */
import type { FiltersAggregation } from '@shoal/aggregations';
import { illegalArgument } from '@shoal/core';
import type { CompileContext } from '../../../match/context/compile-context.ts';
import { compileQuery } from '../../../match/registry/compile-query.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { FiltersCollector } from './filters-collector.ts';

const UNSCORED = { boost: 1, isScored: false };

export const filters: CollectorKind<FiltersAggregation> = {
  ignoresQuery: ({ type }) => type === 'global',
  collector: ({ compile }, request, children) => {
    if (request.type === 'ip_range') checkAddresses(compile, request);
    const weights = request.filters.map(({ query }) => compileQuery(compile, query, UNSCORED));
    return new FiltersCollector(request, weights, children);
  },
};

/** @throws ShoalError for a field that holds no addresses */
function checkAddresses({ mapping }: CompileContext, { filters }: FiltersAggregation): void {
  for (const { query } of filters) {
    const field = query.kind === 'range' ? mapping.field(query.field) : null;
    if (field === null || field.kind === 'ip') continue;
    throw illegalArgument(`Field [${field.path}] of type [${field.kind}] is not supported for aggregation [ip_range]`);
  }
}

/**
 * Collector of `t_test`.
 */
import type { Population, TTestAggregation } from '@shoal/aggregations';
import { compileQuery } from '../../../match/registry/compile-query.ts';
import type { AggregationContext } from '../collector/aggregation-context.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { FilterMatches } from '../filters/filter-matches.ts';
import { numericSource } from '../values/numeric-source.ts';
import { type TestedPopulation, TTestCollector } from './t-test-collector.ts';

const UNSCORED = { boost: 1, isScored: false };

export const tTest: CollectorKind<TTestAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile }, request) =>
    new TTestCollector(request, populationOf(compile, request.a), populationOf(compile, request.b)),
};

function populationOf(compile: AggregationContext, { source, filter }: Population): TestedPopulation {
  return {
    source: numericSource(compile, source, 't_test'),
    filter: filter && new FilterMatches(compileQuery(compile, filter, UNSCORED)),
  };
}

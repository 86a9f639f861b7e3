/**
 * Collector of `multi_terms`.
 */
import type { MultiTermsAggregation } from '@shoal/aggregations';
import type { CollectorKind } from '../collector/collector-kind.ts';
import { declaredSource } from '../values/declared-type.ts';
import { MultiTermsCollector } from './multi-terms-collector.ts';

export const multiTerms: CollectorKind<MultiTermsAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile }, aggregation, children) => {
    const sources = aggregation.sources.map(({ source, timeZone }) => {
      // What stands for none is a text where neither a field nor the request says what it is.
      const isMapped = compile.mapping.field(source.field) !== null;
      const typed = isMapped ? source : { ...source, valueType: source.valueType ?? 'string' };
      return declaredSource(compile, typed, 'multi_terms', timeZone);
    });
    return new MultiTermsCollector(aggregation, sources, children);
  },
};

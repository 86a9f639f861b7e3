/**
 * The type of a result, which `typed_keys` puts before its name.
 */

import type { PartialResult } from '../partials/partial-result.ts';
import type { Aggregation, TermsAggregation } from '../tree/aggregation.ts';
import { MEDIAN_DEVIATION } from '../values/metric-value.ts';

const TERMS_TYPES = { text: 'sterms', long: 'lterms', double: 'dterms' } as const;

export function resultType(aggregation: Aggregation, partial: PartialResult): string {
  switch (aggregation.kind) {
    case 'terms':
      return termsType(aggregation, partial);
    case 'weightedAverage':
      return 'weighted_avg';
    case 'percentiles':
      return aggregation.type === MEDIAN_DEVIATION
        ? aggregation.type
        : `${aggregation.method.kind}_${aggregation.type}`;
    case 'dateHistogram':
      return 'date_histogram';
    case 'stats':
    case 'range':
    case 'filters':
      return aggregation.type;
    default:
      return aggregation.kind;
  }
}

function termsType({ maxDocCount }: TermsAggregation, partial: PartialResult): string {
  const kind = partial.kind === 'terms' ? partial.keyKind : 'text';
  if (maxDocCount === null) return TERMS_TYPES[kind];
  return kind === 'text' ? 'srareterms' : 'lrareterms';
}

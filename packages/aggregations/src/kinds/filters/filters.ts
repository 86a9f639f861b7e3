/**
 * `filters`, `filter`, `missing`, `global`, `adjacency_matrix` and `ip_range`: a bucket for each of some queries.
 */
import type { Steps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { type PathContext, severalBuckets } from '../../contract/path-context.ts';
import { mergedBucket, type ReduceContext } from '../../contract/reduce-context.ts';
import { initializationError } from '../../request/request-errors.ts';
import type { Bucket } from '../../tree/partial-node.ts';
import { FILTERS_PARTIAL, type FiltersPartial } from './filters-partial.ts';
import { type FiltersAggregation, isSingle, readFilters } from './filters-request.ts';
import { parseAdjacencyMatrix } from './parse-adjacency-matrix.ts';
import { parseFilters } from './parse-filters.ts';
import { parseIpRange } from './parse-ip-range.ts';
import { parseFilter, parseGlobal, parseMissing } from './parse-single-filter.ts';
import { renderFilters } from './render-filters.ts';
import { numberInSingle } from './single-bucket.ts';

export const filters: BucketKind<FiltersAggregation, FiltersPartial> = {
  family: 'bucket',
  kind: 'filters',
  parsers: {
    adjacency_matrix: parseAdjacencyMatrix,
    filter: parseFilter,
    filters: parseFilters,
    global: parseGlobal,
    ip_range: parseIpRange,
    missing: parseMissing,
  },
  read: readFilters,
  partial: FILTERS_PARTIAL,
  isSequence: false,
  hasSeveralBuckets: (aggregation) => !isSingle(aggregation),
  isOrderStep: ({ type }) => type !== 'filters',
  checkParents: ({ type, name }, parents) => {
    if (type !== 'global' || parents.length === 0) return;
    throw initializationError(
      `Aggregation [${name}] cannot have a global sub-aggregation [${name}]. Global aggregations can only be defined as top level aggregations`,
    );
  },
  resultType: ({ type }) => type,
  reduce: reduceFilters,
  render: renderFilters,
  keyText: (aggregation, _partial, _bucket, position) =>
    aggregation.filters[position]?.key ?? aggregation.otherKey ?? '',
  pathNumber: numberInFilters,
};

function* reduceFilters(
  aggregation: FiltersAggregation,
  partials: readonly FiltersPartial[],
  context: ReduceContext,
): Steps<FiltersPartial> {
  const count = aggregation.filters.length + (aggregation.otherKey === null ? 0 : 1);
  context.buckets.take(context.isFinal && count > 1 ? count : 0);
  const buckets: Bucket<null>[] = [];
  for (let i = 0; i < count; i++) {
    const same = partials.flatMap((partial) => partial.buckets[i] ?? []);
    buckets.push({ key: null, ...(yield* mergedBucket(aggregation, same, context)) });
  }
  return { kind: 'filters', buckets };
}

function numberInFilters(
  aggregation: FiltersAggregation,
  partial: FiltersPartial,
  path: readonly string[],
  context: PathContext,
): number {
  if (isSingle(aggregation)) return numberInSingle(aggregation, partial, path, context);
  const [key, ...rest] = path;
  if (key !== undefined) {
    const at = aggregation.filters.findIndex((filter) => `'${filter.key}'` === key || filter.key === key);
    const bucket = partial.buckets[at];
    if (bucket !== undefined) {
      return rest.length === 0 ? bucket.docCount : context.numberIn(aggregation.children, bucket, rest);
    }
  }
  return severalBuckets(aggregation, partial, path, 'InternalFilters');
}

/**
 * `filters`, `filter`, `missing`, `global`, `adjacency_matrix` and `ip_range`: a bucket for each of some queries.
 */
import type { Steps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { type PathContext, severalBuckets } from '../../contract/path-context.ts';
import { mergedBucket, type ReduceContext } from '../../contract/reduce-context.ts';
import { executionError } from '../../request/request-errors.ts';
import type { Bucket } from '../../tree/partial-node.ts';
import { compareKeys } from '../../values/bucket-key.ts';
import { FILTERS_PARTIAL, type FiltersPartial } from './filters-partial.ts';
import { type FiltersAggregation, isSingle, readFilters } from './filters-request.ts';
import { parseAdjacencyMatrix } from './parse-adjacency-matrix.ts';
import { parseFilters } from './parse-filters.ts';
import { parseIpRange } from './parse-ip-range.ts';
import { parseFilter, parseGlobal, parseMissing } from './parse-single-filter.ts';
import { filterName, renderFilters } from './render-filters.ts';
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
    const parent = parents.at(-1);
    if (type !== 'global' || parent === undefined) return;
    throw executionError(
      `Aggregation [${parent.name}] cannot have a global sub-aggregation [${name}]. Global aggregations can only be defined as top level aggregations`,
    );
  },
  resultType: ({ type }) => type,
  reduce: reduceFilters,
  render: renderFilters,
  keyText: (aggregation, partial, _bucket, position) => {
    const bucket = partial.buckets[position];
    return bucket === undefined ? '' : filterName(aggregation, bucket);
  },
  pathNumber: numberInFilters,
};

function* reduceFilters(
  aggregation: FiltersAggregation,
  partials: readonly FiltersPartial[],
  context: ReduceContext,
): Steps<FiltersPartial> {
  const count = aggregation.filters.length + (aggregation.otherKey === null ? 0 : 1);
  context.buckets.take(context.isFinal && count > 1 ? count : 0);
  const buckets: Bucket<number>[] = [];
  for (let key = 0; key < count; key++) {
    const same = partials.flatMap((partial) => partial.buckets[key] ?? []);
    buckets.push({ key, ...(yield* mergedBucket(aggregation, same, context)) });
  }
  const isMatrix = context.isFinal && aggregation.type === 'adjacency_matrix';
  return { kind: 'filters', buckets: isMatrix ? matrixOf(aggregation, buckets) : buckets };
}

/** Combinations with documents, by their names. */
function matrixOf(aggregation: FiltersAggregation, buckets: readonly Bucket<number>[]): readonly Bucket<number>[] {
  const name = (bucket: Bucket<number>): string => filterName(aggregation, bucket);
  return buckets.filter(({ docCount }) => docCount > 0).sort((a, b) => compareKeys(name(a), name(b)));
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
    const bucket = partial.buckets.find((one) => one.key === at);
    if (bucket !== undefined) {
      return rest.length === 0 ? bucket.docCount : context.numberIn(aggregation.children, bucket, rest);
    }
  }
  return severalBuckets(aggregation, partial, path, 'InternalFilters');
}

/**
 * `nested` and `reverse_nested`: one bucket, of the documents inside those of the parent, or around them.
 */
import type { Steps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { mergedBucket, type ReduceContext } from '../../contract/reduce-context.ts';
import { FILTERS_PARTIAL, type FiltersPartial } from '../filters/filters-partial.ts';
import { numberInSingle, renderSingle } from '../filters/single-bucket.ts';
import { type NestedAggregation, parseNested, parseReverseNested, readNested } from './nested-request.ts';

export const nested: BucketKind<NestedAggregation, FiltersPartial> = {
  family: 'bucket',
  kind: 'nested',
  parsers: { nested: parseNested, reverse_nested: parseReverseNested },
  read: readNested,
  partial: FILTERS_PARTIAL,
  isSequence: false,
  hasSeveralBuckets: () => false,
  isOrderStep: () => true,
  checkParents: () => {},
  resultType: ({ type }) => type,
  reduce: reduceNested,
  render: renderSingle,
  keyText: () => '',
  pathNumber: numberInSingle,
};

function* reduceNested(
  aggregation: NestedAggregation,
  partials: readonly FiltersPartial[],
  context: ReduceContext,
): Steps<FiltersPartial> {
  const all = partials.flatMap(({ buckets }) => buckets);
  return { kind: 'filters', buckets: [{ key: null, ...(yield* mergedBucket(aggregation, all, context)) }] };
}

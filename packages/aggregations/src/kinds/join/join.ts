/**
 * `children` and `parent`: one bucket, of the documents that those of the parent bucket are joined with.
 */
import type { Steps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { mergedBucket, type ReduceContext } from '../../contract/reduce-context.ts';
import { FILTERS_PARTIAL, type FiltersPartial } from '../filters/filters-partial.ts';
import { numberInSingle, renderSingle } from '../filters/single-bucket.ts';
import { type JoinAggregation, parseChildren, parseParent, readJoin } from './join-request.ts';

export const join: BucketKind<JoinAggregation, FiltersPartial> = {
  family: 'bucket',
  kind: 'join',
  parsers: { children: parseChildren, parent: parseParent },
  read: readJoin,
  partial: FILTERS_PARTIAL,
  isSequence: false,
  hasSeveralBuckets: () => false,
  isOrderStep: () => true,
  checkParents: () => {},
  resultType: ({ type }) => type,
  reduce: reduceJoin,
  render: renderSingle,
  keyText: () => '',
  pathNumber: numberInSingle,
};

function* reduceJoin(
  aggregation: JoinAggregation,
  partials: readonly FiltersPartial[],
  context: ReduceContext,
): Steps<FiltersPartial> {
  const all = partials.flatMap(({ buckets }) => buckets);
  return { kind: 'filters', buckets: [{ key: null, ...(yield* mergedBucket(aggregation, all, context)) }] };
}

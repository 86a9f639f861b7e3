/**
 * One bucket that is shown as the aggregation itself.
 */
import type { Steps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import type { PathContext } from '../../contract/path-context.ts';
import { mergedBucket, type ReduceContext } from '../../contract/reduce-context.ts';
import type { BucketRenderer } from '../../render/bucket-renderer.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import { FILTERS_PARTIAL, type FiltersPartial } from './filters-partial.ts';

/** Parts that kinds with one bucket do not share. */
type OwnParts<A extends AggregationNode> = Pick<
  BucketKind<A, FiltersPartial>,
  'kind' | 'parsers' | 'read' | 'resultType'
>;

/** A kind whose results have one bucket, or none where no shard has a place for it. */
export function singleBucketKind<A extends AggregationNode>(own: OwnParts<A>): BucketKind<A, FiltersPartial> {
  return {
    ...own,
    family: 'bucket',
    partial: FILTERS_PARTIAL,
    isSequence: false,
    hasSeveralBuckets: () => false,
    isOrderStep: () => true,
    checkParents: () => {},
    reduce: reduceSingle,
    render: renderSingle,
    keyText: () => '',
    pathNumber: numberInSingle,
  };
}

function* reduceSingle(
  aggregation: AggregationNode,
  partials: readonly FiltersPartial[],
  context: ReduceContext,
): Steps<FiltersPartial> {
  const all = partials.flatMap(({ buckets }) => buckets);
  // Without partials it is an empty bucket's, which shows what the aggregations in it make of nothing.
  if (all.length === 0 && partials.length > 0) return { kind: 'filters', buckets: [] };
  return { kind: 'filters', buckets: [{ key: 0, ...(yield* mergedBucket(aggregation, all, context)) }] };
}

export function* renderSingle(
  aggregation: AggregationNode,
  { buckets: [only] }: FiltersPartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  to.out.add(isFirst ? '' : ',');
  if (only === undefined) to.out.add('"doc_count":0');
  else yield* to.single(aggregation, only);
}

/** Its count, or a number of an aggregation in it. */
export function numberInSingle(
  { children }: AggregationNode,
  { buckets: [only] }: FiltersPartial,
  path: readonly string[],
  context: PathContext,
): number {
  if (only === undefined) return Number.NaN;
  return path.length === 0 ? only.docCount : context.numberIn(children, only, path);
}

/**
 * What the reduce of one kind is given: limits, and the reduce of its children, which may be of any kind.
 */
import type { StepMeter, Steps } from '@shoal/core';
import type { BucketOrder } from '../request/bucket-order.ts';
import type { AggregationNode } from '../tree/aggregation-node.ts';
import type { Bucket, PartialNode } from '../tree/partial-node.ts';
import type { BucketBudget } from './bucket-budget.ts';

export type CompareBuckets<Key> = (a: Bucket<Key>, b: Bucket<Key>) => number;

export interface ReduceContext {
  /** Cuts lists to the size that was asked for, and fills gaps; what it makes is for rendering alone. */
  readonly isFinal: boolean;
  /** Instant that `now` means in the request. */
  readonly nowMs: number;
  /** Counts the buckets of the answer; throws when they are too many. */
  readonly buckets: BucketBudget;
  /** Counts the work: a reduce is done in steps. */
  readonly meter: StepMeter;
  /** Merges the results of several buckets or shards: one list each, in the order of the aggregations. */
  reduceLevel(
    aggregations: readonly AggregationNode[],
    lists: readonly (readonly PartialNode[])[],
  ): Steps<readonly PartialNode[]>;
  /** True where results of one shard alone are final as they are: nothing in them is to be merged or cut. */
  areWholeAlone(aggregations: readonly AggregationNode[]): boolean;
  compareBuckets<Key>(
    order: readonly BucketOrder[],
    children: readonly AggregationNode[],
    compareKeys: (a: Key, b: Key) => number,
  ): CompareBuckets<Key>;
  /** The same result without any document. */
  emptied(partial: PartialNode): PartialNode;
}

/** Merges the children of buckets that became one. */
export function reduceChildren(
  { children }: AggregationNode,
  buckets: readonly Bucket<unknown>[],
  context: ReduceContext,
): Steps<readonly PartialNode[]> {
  return context.reduceLevel(
    children,
    buckets.map((bucket) => bucket.children),
  );
}

/** Count of documents and children of buckets with one key. */
export function* mergedBucket(
  aggregation: AggregationNode,
  buckets: readonly Bucket<unknown>[],
  context: ReduceContext,
): Steps<Pick<Bucket<null>, 'docCount' | 'children'>> {
  let docCount = 0;
  for (const bucket of buckets) docCount += bucket.docCount;
  return { docCount, children: yield* reduceChildren(aggregation, buckets, context) };
}

/**
 * Buckets of several partial results that have one key each become one.
 */
import type { StepMeter, Steps } from '@shoal/core';
import type { AggregationNode } from '../tree/aggregation-node.ts';
import type { Bucket } from '../tree/partial-node.ts';
import { mergedBucket, type ReduceContext } from './reduce-context.ts';

/** Estimated cost of a bucket that is grouped or made, in microseconds. */
const BUCKET_UNITS = 0.3;

type Buckets<Of> = { readonly buckets: readonly Of[] };

/** Buckets by what `keyOf` says of them, in the order in which each key comes first. `units`: cost of a bucket, in microseconds. */
export function* groupedBuckets<Key, Of extends Bucket<unknown>>(
  partials: Iterable<Buckets<Of>>,
  keyOf: (bucket: Of) => Key,
  meter: StepMeter,
  units: number = BUCKET_UNITS,
): Steps<Map<Key, Of[]>> {
  const groups = new Map<Key, Of[]>();
  for (const { buckets } of partials) {
    for (const bucket of buckets) {
      const key = keyOf(bucket);
      const found = groups.get(key);
      if (found === undefined) groups.set(key, [bucket]);
      else found.push(bucket);
      if (meter.isDue(units)) yield;
    }
  }
  return groups;
}

/** A bucket for each key, in the order in which each comes first. */
export function* mergedByKey<Key>(
  aggregation: AggregationNode,
  partials: readonly Buckets<Bucket<Key>>[],
  context: ReduceContext,
): Steps<readonly Bucket<Key>[]> {
  const { meter } = context;
  const areWholeAlone = context.areWholeAlone(aggregation.children);
  const [first] = partials;
  if (first !== undefined && partials.length === 1 && areWholeAlone) return first.buckets;
  const merged: Bucket<Key>[] = [];
  for (const [key, buckets] of yield* groupedBuckets(partials, (bucket) => bucket.key, meter)) {
    const [only] = buckets;
    if (only !== undefined && buckets.length === 1 && areWholeAlone) merged.push(only);
    else merged.push({ key, ...(yield* mergedBucket(aggregation, buckets, context)) });
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  return merged;
}

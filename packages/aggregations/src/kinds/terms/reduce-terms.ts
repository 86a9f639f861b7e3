/**
 * Terms of many shards: counts added by key, and how wrong they may be since each shard returned its first ones only.
 */
import { assert, type Steps, sortInSteps } from '@shoal/core';
import { mergedBucket, type ReduceContext } from '../../contract/reduce-context.ts';
import { isByCountDescending, isByKey } from '../../request/bucket-order.ts';
import type { BucketKey } from '../../values/bucket-key.ts';
import { formatOf } from '../../values/value-format.ts';
import { commonKind } from './common-kind.ts';
import type { TermsBucket, TermsPartial } from './terms-partial.ts';
import type { TermsAggregation } from './terms-request.ts';

interface Gathered {
  readonly key: BucketKey;
  readonly buckets: TermsBucket[];
  /** Possible error of the count, over the shards that returned the bucket, less that of their lists; null: not known. */
  error: number | null;
}

const NOT_KNOWN = -1;

export function* reduceTerms(
  aggregation: TermsAggregation,
  partials: readonly TermsPartial[],
  context: ReduceContext,
): Steps<TermsPartial> {
  const { meter } = context;
  const keyKind = commonKind(aggregation, partials);
  const groups = new Map<BucketKey, Gathered>();
  let otherDocCount = 0;
  let error = 0;
  let shardCount = 0;
  for (const partial of partials) {
    otherDocCount += partial.otherDocCount;
    shardCount += partial.shardCount;
    const own = partial.error;
    error = error === NOT_KNOWN || own === NOT_KNOWN ? NOT_KNOWN : error + own;
    for (const bucket of partial.buckets) {
      gather(groups, bucket, own);
      if (meter.isDue(0.3)) yield;
    }
  }
  const areWholeAlone = context.areWholeAlone(aggregation.children);
  const merged: TermsBucket[] = [];
  for (const { key, buckets, error: own } of groups.values()) {
    const isKnown = error !== NOT_KNOWN && own !== null;
    const shownError = isKnown ? own + error : NOT_KNOWN;
    const [only] = buckets;
    if (only !== undefined && buckets.length === 1 && areWholeAlone) merged.push({ ...only, error: shownError });
    else merged.push({ key, ...(yield* mergedBucket(aggregation, buckets, context)), error: shownError });
    if (meter.isDue(0.3)) yield;
  }
  const compare = context.compareBuckets(aggregation.order, aggregation.children);
  const sorted = yield* sortInSteps(merged, compare, meter);
  const kept = context.isFinal ? finalBuckets(aggregation, sorted) : sorted;
  if (context.isFinal) {
    context.buckets.take(kept.length);
    // Those that are too rare, or too frequent, to be shown are no others either.
    for (const bucket of sorted) otherDocCount += isShown(aggregation, bucket) ? bucket.docCount : 0;
    for (const { docCount } of kept) otherDocCount -= docCount;
    assert(kept.length <= aggregation.size, `${kept.length} buckets of at most ${aggregation.size}`);
  }
  // One shard alone knows all its counts, unless its order says nothing of them.
  const shownError = shardCount === 1 && context.isFinal && error !== NOT_KNOWN ? 0 : error;
  const format = formatOf(partials);
  return { kind: 'terms', keyKind, format, otherDocCount, error: shownError, shardCount, buckets: kept };
}

function isShown({ minDocCount, maxDocCount }: TermsAggregation, { docCount }: TermsBucket): boolean {
  return docCount >= minDocCount && docCount <= (maxDocCount ?? Number.POSITIVE_INFINITY);
}

function finalBuckets(aggregation: TermsAggregation, sorted: readonly TermsBucket[]): TermsBucket[] {
  const kept: TermsBucket[] = [];
  for (const bucket of sorted) {
    if (kept.length === aggregation.size) break;
    if (isShown(aggregation, bucket)) kept.push(bucket);
  }
  return kept;
}

function gather(groups: Map<BucketKey, Gathered>, bucket: TermsBucket, errorOfShard: number): void {
  // The error of the whole list is added back to every bucket at the end: those that a shard returned have none of it.
  const own = errorOfShard === NOT_KNOWN || bucket.error === NOT_KNOWN ? null : bucket.error - errorOfShard;
  const found = groups.get(bucket.key);
  if (found === undefined) {
    groups.set(bucket.key, { key: bucket.key, buckets: [bucket], error: own });
    return;
  }
  found.buckets.push(bucket);
  found.error = found.error === null || own === null ? null : found.error + own;
}

/** The largest count that a term which a shard did not return may have there; -1: cannot be known. */
export function termsError(aggregation: TermsAggregation, buckets: readonly TermsBucket[]): number {
  const { order, shardSize } = aggregation;
  if (buckets.length < shardSize || isByKey(order)) return 0;
  if (!isByCountDescending(order)) return NOT_KNOWN;
  return buckets.at(-1)?.docCount ?? 0;
}

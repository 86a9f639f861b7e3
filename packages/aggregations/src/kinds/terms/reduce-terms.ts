/**
 * Terms of many shards: counts added by key, and how wrong they may be since each shard returned its first ones only.
 */
import { assert, illegalArgument, type Steps, sortInSteps } from '@shoal/core';
import { mergedBucket, type ReduceContext } from '../../contract/reduce-context.ts';
import { isByCountDescending, isByKey } from '../../request/bucket-order.ts';
import type { BucketKey, KeyKind } from '../../values/bucket-key.ts';
import { formatOf } from '../../values/value-format.ts';
import type { TermsBucket, TermsPartial } from './terms-partial.ts';
import type { TermsAggregation } from './terms-request.ts';

interface Gathered {
  readonly key: BucketKey;
  readonly buckets: TermsBucket[];
  /** Possible error of the count, over the shards that returned the bucket. */
  error: number;
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
    const isKnown = error !== NOT_KNOWN && own !== NOT_KNOWN;
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
    for (const { docCount } of sorted) otherDocCount += docCount;
    for (const { docCount } of kept) otherDocCount -= docCount;
    assert(kept.length <= aggregation.size, `${kept.length} buckets of at most ${aggregation.size}`);
  }
  // One shard alone knows all its counts.
  const shownError = shardCount === 1 && context.isFinal ? 0 : error;
  const format = formatOf(partials);
  return { kind: 'terms', keyKind, format, otherDocCount, error: shownError, shardCount, buckets: kept };
}

function finalBuckets(aggregation: TermsAggregation, sorted: readonly TermsBucket[]): TermsBucket[] {
  const { minDocCount, size } = aggregation;
  const most = aggregation.maxDocCount ?? Number.POSITIVE_INFINITY;
  const kept: TermsBucket[] = [];
  for (const bucket of sorted) {
    if (kept.length === size) break;
    if (bucket.docCount >= minDocCount && bucket.docCount <= most) kept.push(bucket);
  }
  return kept;
}

function gather(groups: Map<BucketKey, Gathered>, bucket: TermsBucket, errorOfShard: number): void {
  // The error of the whole list is added back to every bucket at the end: those that a shard returned have none of it.
  const own = errorOfShard === NOT_KNOWN || bucket.error === NOT_KNOWN ? NOT_KNOWN : bucket.error - errorOfShard;
  const found = groups.get(bucket.key);
  if (found === undefined) {
    groups.set(bucket.key, { key: bucket.key, buckets: [bucket], error: own });
    return;
  }
  found.buckets.push(bucket);
  found.error = found.error === NOT_KNOWN || own === NOT_KNOWN ? NOT_KNOWN : found.error + own;
}

/** The largest count that a term which a shard did not return may have there; -1: cannot be known. */
export function termsError(aggregation: TermsAggregation, buckets: readonly TermsBucket[]): number {
  const { order, shardSize } = aggregation;
  if (buckets.length < shardSize || isByKey(order)) return 0;
  if (!isByCountDescending(order)) return NOT_KNOWN;
  return buckets.at(-1)?.docCount ?? 0;
}

function commonKind(aggregation: TermsAggregation, partials: readonly TermsPartial[]): KeyKind {
  const kinds = new Set(partials.filter(({ buckets }) => buckets.length > 0).map(({ keyKind }) => keyKind));
  const [first] = kinds;
  if (kinds.size <= 1) return first ?? partials.find(({ keyKind }) => keyKind !== 'text')?.keyKind ?? 'text';
  if (!kinds.has('text')) return 'double';
  throw illegalArgument(
    `Merging/Reducing the aggregations failed when computing the aggregation [${aggregation.name}] because the field you gave in the aggregation query existed as two different types in two different indices`,
  );
}

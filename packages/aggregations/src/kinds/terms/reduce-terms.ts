/**
 * Terms of many shards: counts added by key, and how wrong they may be since each shard returned its first ones only.
 */
import { assert, type Steps, sortInSteps } from '@shoal/core';
import { mergedBucket, type ReduceContext } from '../../contract/reduce-context.ts';
import { isByCountDescending, isByKey } from '../../request/bucket-order.ts';
import { type BucketKey, compareKeys } from '../../values/bucket-key.ts';
import { compareKeyTuples, type KeyTuple, tupleName } from '../../values/key-tuple.ts';
import { formatOf } from '../../values/value-format.ts';
import { commonKind } from './common-kind.ts';
import type { LimitedTerms, TermsLimits } from './terms-limits.ts';
import type { TermsBucket, TermsList } from './terms-list.ts';
import type { TermsPartial } from './terms-partial.ts';
import type { TermsAggregation } from './terms-request.ts';

interface Gathered<Key> {
  readonly key: Key;
  readonly buckets: TermsBucket<Key>[];
  /** Possible error of the count, over the shards that returned the bucket, less that of their lists; null: not known. */
  error: number | null;
}

/** Keys of terms, and how they are told apart. */
export interface TermKeys<Key> {
  /** A value that equal keys share and no others have. */
  identity(key: Key): BucketKey;
  compare(a: Key, b: Key): number;
}

export const SINGLE_KEYS: TermKeys<BucketKey> = { identity: (key) => key, compare: compareKeys };

export const TUPLE_KEYS: TermKeys<KeyTuple> = { identity: tupleName, compare: compareKeyTuples };

const NOT_KNOWN = -1;

export function* reduceTerms(
  aggregation: TermsAggregation,
  partials: readonly TermsPartial[],
  context: ReduceContext,
): Steps<TermsPartial> {
  const [keyKind, format] = [commonKind(aggregation, partials), formatOf(partials)];
  const { maxDocCount } = aggregation;
  const list = yield* mergeTerms(aggregation, partials, SINGLE_KEYS, context, maxDocCount ?? Number.POSITIVE_INFINITY);
  return { kind: 'terms', keyKind, format, ...list };
}

/** Merges the lists of shards. @param maxDocCount most documents of a bucket that is shown */
export function* mergeTerms<Key>(
  aggregation: LimitedTerms,
  partials: readonly TermsList<Key>[],
  keys: TermKeys<Key>,
  context: ReduceContext,
  maxDocCount: number = Number.POSITIVE_INFINITY,
): Steps<TermsList<Key>> {
  const { meter } = context;
  const groups = new Map<BucketKey, Gathered<Key>>();
  let otherDocCount = 0;
  let error = 0;
  let shardCount = 0;
  for (const partial of partials) {
    otherDocCount += partial.otherDocCount;
    shardCount += partial.shardCount;
    const own = partial.error;
    error = error === NOT_KNOWN || own === NOT_KNOWN ? NOT_KNOWN : error + own;
    for (const bucket of partial.buckets) {
      gather(groups, keys.identity(bucket.key), bucket, own);
      if (meter.isDue(0.3)) yield;
    }
  }
  const areWholeAlone = context.areWholeAlone(aggregation.children);
  const merged: TermsBucket<Key>[] = [];
  for (const { key, buckets, error: own } of groups.values()) {
    const isKnown = error !== NOT_KNOWN && own !== null;
    const shownError = isKnown ? own + error : NOT_KNOWN;
    const [only] = buckets;
    if (only !== undefined && buckets.length === 1 && areWholeAlone) merged.push({ ...only, error: shownError });
    else merged.push({ key, ...(yield* mergedBucket(aggregation, buckets, context)), error: shownError });
    if (meter.isDue(0.3)) yield;
  }
  const compare = context.compareBuckets(aggregation.order, aggregation.children, keys.compare);
  const sorted = yield* sortInSteps(merged, compare, meter);
  const isShown = ({ docCount }: TermsBucket<Key>): boolean =>
    docCount >= aggregation.minDocCount && docCount <= maxDocCount;
  const kept = context.isFinal ? finalBuckets(aggregation, sorted, isShown) : sorted;
  if (context.isFinal) {
    context.buckets.take(kept.length);
    // Those that are too rare, or too frequent, to be shown are no others either.
    for (const bucket of sorted) otherDocCount += isShown(bucket) ? bucket.docCount : 0;
    for (const { docCount } of kept) otherDocCount -= docCount;
    assert(kept.length <= aggregation.size, `${kept.length} buckets of at most ${aggregation.size}`);
  }
  // One shard alone knows all its counts, unless its order says nothing of them.
  const shownError = shardCount === 1 && context.isFinal && error !== NOT_KNOWN ? 0 : error;
  return { otherDocCount, error: shownError, shardCount, buckets: kept };
}

function finalBuckets<Key>(
  { size }: TermsLimits,
  sorted: readonly TermsBucket<Key>[],
  isShown: (bucket: TermsBucket<Key>) => boolean,
): TermsBucket<Key>[] {
  const kept: TermsBucket<Key>[] = [];
  for (const bucket of sorted) {
    if (kept.length === size) break;
    if (isShown(bucket)) kept.push(bucket);
  }
  return kept;
}

function gather<Key>(
  groups: Map<BucketKey, Gathered<Key>>,
  identity: BucketKey,
  bucket: TermsBucket<Key>,
  errorOfShard: number,
): void {
  // The error of the whole list is added back to every bucket at the end: those that a shard returned have none of it.
  const own = errorOfShard === NOT_KNOWN || bucket.error === NOT_KNOWN ? null : bucket.error - errorOfShard;
  const found = groups.get(identity);
  if (found === undefined) {
    groups.set(identity, { key: bucket.key, buckets: [bucket], error: own });
    return;
  }
  found.buckets.push(bucket);
  found.error = found.error === null || own === null ? null : found.error + own;
}

/** The largest count that a term which a shard did not return may have there; -1: cannot be known. */
export function termsError({ order, shardSize }: TermsLimits, buckets: readonly TermsBucket<unknown>[]): number {
  if (buckets.length < shardSize || isByKey(order)) return 0;
  if (!isByCountDescending(order)) return NOT_KNOWN;
  return buckets.at(-1)?.docCount ?? 0;
}

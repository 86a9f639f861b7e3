/**
 * Clusters of many shards: equal means become one, then the nearest neighbours, until there are as few as the request wants.
 */
import { type Steps, sortInSteps } from '@shoal/core';
import { mergedBucket, type ReduceContext } from '../../contract/reduce-context.ts';
import { formatOf } from '../../values/value-format.ts';
import { nearestRanges, type PointRange } from './nearest-ranges.ts';
import type { ClusterBucket, VariableWidthPartial } from './variable-width-partial.ts';
import type { VariableWidthAggregation } from './variable-width-request.ts';

/** Buckets first..last of a sorted list as one. */
type Merged = Omit<ClusterBucket, 'children'> & PointRange;

export function* reduceVariableWidth(
  aggregation: VariableWidthAggregation,
  partials: readonly VariableWidthPartial[],
  context: ReduceContext,
): Steps<VariableWidthPartial> {
  const { meter, isFinal } = context;
  const all = partials.flatMap(({ buckets }) => buckets);
  const sorted = yield* sortInSteps(all, (a, b) => a.key - b.key, meter);
  const apart = sorted.map((bucket, at): Merged => ({ ...bucket, first: at, last: at }));
  const distinct = mergedRuns(apart, (a, b) => a.key === b.key);
  // Children are merged once, when it is known which buckets become one: a final result of theirs cannot be merged again.
  const merged = isFinal ? yield* fewest(distinct, aggregation.bucketsMax, context) : distinct;
  if (isFinal) context.buckets.take(merged.length);
  const buckets: ClusterBucket[] = [];
  for (const { key, min, max, first, last } of merged) {
    const own = sorted.slice(first, last + 1);
    buckets.push({ key, min, max, ...(yield* mergedBucket(aggregation, own, context)) });
    if (meter.isDue(0.3)) yield;
  }
  return { kind: 'variableWidthHistogram', format: formatOf(partials), buckets };
}

function* fewest(distinct: readonly Merged[], most: number, { meter }: ReduceContext): Steps<readonly Merged[]> {
  const ranges = yield* nearestRanges(distinct, most, meter);
  const near = ranges.map(({ first, last }) => joined(distinct.slice(first, last + 1)));
  return withoutOverlap(mergedRuns(near, (a, b) => a.min === b.min));
}

/** Neighbours that belong together become one. */
function mergedRuns(buckets: readonly Merged[], isSame: (a: Merged, b: Merged) => boolean): readonly Merged[] {
  const merged: Merged[] = [];
  let from = 0;
  for (let at = 1; at <= buckets.length; at++) {
    const [before, next] = [buckets[at - 1], buckets[at]];
    if (before !== undefined && next !== undefined && isSame(before, next)) continue;
    merged.push(joined(buckets.slice(from, at)));
    from = at;
  }
  return merged;
}

function joined(buckets: readonly Merged[]): Merged {
  let [sum, docCount] = [0, 0];
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const bucket of buckets) {
    sum += bucket.key * bucket.docCount;
    docCount += bucket.docCount;
    min = Math.min(min, bucket.min);
    max = Math.max(max, bucket.max);
  }
  const key = buckets.length === 1 ? (buckets[0]?.key ?? 0) : sum / docCount;
  return { key, min, max, docCount, first: buckets[0]?.first ?? 0, last: buckets.at(-1)?.last ?? -1 };
}

/** Where clusters reach into each other, both end halfway. */
function withoutOverlap(buckets: readonly Merged[]): readonly Merged[] {
  const shown: Merged[] = [];
  for (const bucket of buckets) {
    const before = shown.at(-1);
    if (before === undefined || bucket.min >= before.max) shown.push(bucket);
    else {
      const border = (before.max + bucket.min) / 2;
      shown.splice(-1, 1, { ...before, max: border }, { ...bucket, min: border });
    }
  }
  return shown;
}

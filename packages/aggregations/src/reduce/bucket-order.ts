/**
 * The order of buckets as a comparison; shards cut their lists by it, the coordinator sorts the merged ones.
 */

import { compareKeys } from '../partials/bucket-keys.ts';
import type { Bucket, BucketKey, PartialResult } from '../partials/partial-result.ts';
import type { Aggregation, BucketOrder } from '../tree/aggregation.ts';
import { metricAt } from '../values/metric-value.ts';
import { resolveMetricPath } from '../values/parse-order.ts';

export type CompareBuckets = (a: Bucket<BucketKey>, b: Bucket<BucketKey>) => number;

export function bucketComparison(order: readonly BucketOrder[], children: readonly Aggregation[]): CompareBuckets {
  const criteria = order.map((one) => criterion(one, children));
  return (a, b) => {
    for (const compare of criteria) {
      const c = compare(a, b);
      if (c !== 0) return c;
    }
    return 0;
  };
}

function criterion({ by, path, isAscending }: BucketOrder, children: readonly Aggregation[]): CompareBuckets {
  const sign = isAscending ? 1 : -1;
  if (by === 'count') return (a, b) => sign * (a.docCount - b.docCount);
  if (by === 'key') return (a, b) => sign * compareKeys(a.key, b.key);
  const metric = metricReader(children, path);
  return (a, b) => compareMetrics(metric(a.children), metric(b.children), sign);
}

/** What a bucket has without values is last, whatever the direction. */
function compareMetrics(a: number, b: number, sign: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return sign * (a < b ? -1 : Number(a > b));
}

/** Reads the metric that an order's path names out of a bucket's children. */
function metricReader(children: readonly Aggregation[], path: string): (partials: readonly PartialResult[]) => number {
  const resolved = resolveMetricPath(children, path);
  let level = children;
  let last: Aggregation | undefined;
  for (const step of resolved.steps) {
    last = level[step];
    level = last?.children ?? [];
  }
  const type = last?.kind === 'stats' ? last.type : '';
  return (partials) => metricAt(partials, resolved, type);
}

/** Largest counts first: then a bucket that a shard left out has at most the count of its last one. */
export function isByCountDescending(order: readonly BucketOrder[]): boolean {
  const [first] = order;
  return first?.by === 'count' && !first.isAscending;
}

export function isByKey(order: readonly BucketOrder[]): boolean {
  return order[0]?.by === 'key';
}

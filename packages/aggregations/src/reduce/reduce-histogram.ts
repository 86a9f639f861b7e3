/**
 * Histograms of many shards: counts added by key, gaps filled in the final answer when empty buckets are wanted.
 */
import type { Bounds, DateHistogramAggregation, HistogramAggregation } from '../aggregation.ts';
import { DateRounding } from '../date-rounding.ts';
import type { Bucket, HistogramPartial, ValueFormat } from '../partial-result.ts';
import { boundOf } from '../value-formats.ts';
import { bucketComparison, isByKey } from './bucket-order.ts';
import { emptiedResult } from './emptied-result.ts';
import { formatOf, mergedBucket, type ReduceContext, reduceChildren } from './reduce-aggregations.ts';

type AnyHistogram = HistogramAggregation | DateHistogramAggregation;

export function reduceHistogram(
  aggregation: AnyHistogram,
  partials: readonly HistogramPartial[],
  context: ReduceContext,
): HistogramPartial {
  const format = formatOf(partials);
  const byKey = new Map<number, Bucket<number>[]>();
  for (const { buckets } of partials) {
    for (const bucket of buckets) {
      const same = byKey.get(bucket.key);
      if (same === undefined) byKey.set(bucket.key, [bucket]);
      else same.push(bucket);
    }
  }
  const merged = [...byKey]
    .sort(([a], [b]) => a - b)
    .map(([key, same]): Bucket<number> => ({ key, ...mergedBucket(aggregation, same, context) }));
  if (!context.isFinal) return { kind: 'histogram', format, buckets: merged };
  const shown = withGaps(aggregation, merged, format, context);
  context.buckets.take(shown.length);
  const isPlainOrder = isByKey(aggregation.order) && aggregation.order[0]?.isAscending === true;
  if (!isPlainOrder) shown.sort(bucketComparison(aggregation.order, aggregation.children));
  return { kind: 'histogram', format, buckets: shown };
}

function withGaps(
  aggregation: AnyHistogram,
  merged: readonly Bucket<number>[],
  format: ValueFormat,
  context: ReduceContext,
): Bucket<number>[] {
  const { minDocCount } = aggregation;
  if (minDocCount > 0) return merged.filter(({ docCount }) => docCount >= minDocCount);
  const steps = stepsOf(aggregation);
  const [low, high] = shownSpan(aggregation, merged, format, steps);
  if (low > high) return [...merged];
  const empty = merged[0]?.children.map(emptiedResult) ?? reduceChildren(aggregation, [], context);
  const filled: Bucket<number>[] = [];
  let at = 0;
  for (let key = low; key <= high || at < merged.length; ) {
    const bucket = merged[at];
    if (bucket !== undefined && bucket.key <= key) {
      filled.push(bucket);
      at++;
      key = steps.next(bucket.key);
      continue;
    }
    // Before it is made, so that a tiny interval over a wide span ends here and not out of memory.
    if (filled.length % GAP_CHECK === 0) context.buckets.take(0);
    context.buckets.take(1);
    filled.push({ key, docCount: 0, children: empty });
    key = steps.next(key);
  }
  const made = filled.length - merged.length;
  context.buckets.take(-made);
  return filled;
}

const GAP_CHECK = 1_024;

interface Steps {
  round(value: number): number;
  next(key: number): number;
}

function stepsOf(aggregation: AnyHistogram): Steps {
  if (aggregation.kind === 'dateHistogram') return new DateRounding(aggregation.interval);
  const { interval, offset } = aggregation;
  return {
    round: (value) => Math.floor((value - offset) / interval) * interval + offset,
    // By number, not by adding: sums of an interval such as 0.1 would drift away from the keys of the shards.
    next: (key) => (Math.round((key - offset) / interval) + 1) * interval + offset,
  };
}

function shownSpan(
  aggregation: AnyHistogram,
  merged: readonly Bucket<number>[],
  format: ValueFormat,
  steps: Steps,
): readonly [number, number] {
  let low = merged[0]?.key ?? Number.POSITIVE_INFINITY;
  let high = merged.at(-1)?.key ?? Number.NEGATIVE_INFINITY;
  const bounds = aggregation.extendedBounds;
  if (bounds !== null) {
    const { min, max } = numbersOf(bounds, format);
    if (min !== null) low = Math.min(low, steps.round(min));
    if (max !== null) high = Math.max(high, steps.round(max));
    // Half of the bounds alone spans nothing while there are no values.
    if (!Number.isFinite(low) || !Number.isFinite(high)) return [1, 0];
  }
  return [low, high];
}

function numbersOf(bounds: Bounds, format: ValueFormat): { readonly min: number | null; readonly max: number | null } {
  return { min: boundOf(bounds.min, format), max: boundOf(bounds.max, format) };
}

/**
 * Histograms of many shards: counts added by key, gaps filled in the final answer when empty buckets are wanted.
 */

import { type Steps, sortInSteps } from '@shoal/core';
import { emptiedResult } from '../partials/emptied-result.ts';
import type { Bucket, HistogramPartial, ValueFormat } from '../partials/partial-result.ts';
import type { Bounds, DateHistogramAggregation, HistogramAggregation } from '../tree/aggregation.ts';
import { DateRounding } from '../tree/date-rounding.ts';
import { boundOf } from '../values/value-formats.ts';
import { bucketComparison, isByKey } from './bucket-order.ts';
import { isWholeAlready, mergedBucket, type ReduceContext, reduceChildren } from './reduce-aggregations.ts';
import { formatOf } from './reduce-metrics.ts';

type AnyHistogram = HistogramAggregation | DateHistogramAggregation;

export function* reduceHistogram(
  aggregation: AnyHistogram,
  partials: readonly HistogramPartial[],
  context: ReduceContext,
): Steps<HistogramPartial> {
  const { meter } = context;
  const format = formatOf(partials);
  const merged = yield* mergeByKey(aggregation, partials, context);
  if (!context.isFinal) return { kind: 'histogram', format, buckets: merged };
  const shown = yield* withGaps(aggregation, merged, format, context);
  context.buckets.take(shown.length);
  const isPlainOrder = isByKey(aggregation.order) && aggregation.order[0]?.isAscending === true;
  if (isPlainOrder) return { kind: 'histogram', format, buckets: shown };
  const compare = bucketComparison(aggregation.order, aggregation.children);
  return { kind: 'histogram', format, buckets: yield* sortInSteps(shown, compare, meter) };
}

/** The lists of all shards are in the order of their keys: the least of their heads is next. */
function* mergeByKey(
  aggregation: AnyHistogram,
  partials: readonly HistogramPartial[],
  context: ReduceContext,
): Steps<Bucket<number>[]> {
  const lists = partials.map(({ buckets }) => buckets);
  const heads = new Uint32Array(lists.length);
  const merged: Bucket<number>[] = [];
  for (;;) {
    const first = leastHead(lists, heads);
    if (first === undefined) return merged;
    const { key } = first;
    const same: Bucket<number>[] = [];
    for (let i = 0; i < lists.length; i++) {
      const bucket = lists[i]?.[heads[i] as number];
      if (bucket !== first && bucket?.key !== key) continue;
      same.push(bucket as Bucket<number>);
      heads[i] = (heads[i] as number) + 1;
    }
    const [only] = same;
    if (only !== undefined && isWholeAlready(aggregation, same)) merged.push(only);
    else merged.push({ key, ...(yield* mergedBucket(aggregation, same, context)) });
    if (context.meter.isDue(0.2 + 0.05 * lists.length)) yield;
  }
}

function leastHead(lists: readonly (readonly Bucket<number>[])[], heads: Uint32Array): Bucket<number> | undefined {
  let least: Bucket<number> | undefined;
  for (let i = 0; i < lists.length; i++) {
    const head = lists[i]?.[heads[i] as number];
    if (head !== undefined && (least === undefined || head.key < least.key)) least = head;
  }
  return least;
}

function* withGaps(
  aggregation: AnyHistogram,
  merged: readonly Bucket<number>[],
  format: ValueFormat,
  context: ReduceContext,
): Steps<readonly Bucket<number>[]> {
  const { minDocCount } = aggregation;
  if (minDocCount === 1) return merged;
  if (minDocCount > 1) return merged.filter(({ docCount }) => docCount >= minDocCount);
  const intervals = intervalsOf(aggregation);
  const [low, high] = shownSpan(aggregation, merged, format, intervals);
  if (low > high) return merged;
  const empty = merged[0]?.children.map(emptiedResult) ?? (yield* reduceChildren(aggregation, [], context));
  const filled: Bucket<number>[] = [];
  let at = 0;
  for (let key = low; key <= high || at < merged.length; ) {
    if (context.meter.isDue(0.3)) yield;
    const bucket = merged[at];
    if (bucket !== undefined && bucket.key <= key) {
      filled.push(bucket);
      at++;
      key = intervals.next(bucket.key);
      continue;
    }
    // Before it is made, so that a tiny interval over a wide span ends here and not out of memory.
    if (filled.length % GAP_CHECK === 0) context.buckets.take(0);
    context.buckets.take(1);
    filled.push({ key, docCount: 0, children: empty });
    key = intervals.next(key);
  }
  const made = filled.length - merged.length;
  context.buckets.take(-made);
  return filled;
}

const GAP_CHECK = 1_024;

interface Intervals {
  round(value: number): number;
  next(key: number): number;
}

function intervalsOf(aggregation: AnyHistogram): Intervals {
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
  intervals: Intervals,
): readonly [number, number] {
  let low = merged[0]?.key ?? Number.POSITIVE_INFINITY;
  let high = merged.at(-1)?.key ?? Number.NEGATIVE_INFINITY;
  const bounds = aggregation.extendedBounds;
  if (bounds !== null) {
    const { min, max } = numbersOf(bounds, format);
    if (min !== null) low = Math.min(low, intervals.round(min));
    if (max !== null) high = Math.max(high, intervals.round(max));
    // Half of the bounds alone spans nothing while there are no values.
    if (!Number.isFinite(low) || !Number.isFinite(high)) return [1, 0];
  }
  return [low, high];
}

function numbersOf(bounds: Bounds, format: ValueFormat): { readonly min: number | null; readonly max: number | null } {
  return { min: boundOf(bounds.min, format), max: boundOf(bounds.max, format) };
}

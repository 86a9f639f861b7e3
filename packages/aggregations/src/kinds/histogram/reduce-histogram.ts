/**
 * Histograms of many shards: counts added by key, gaps filled in the final answer when empty buckets are wanted.
 */
import { assert, type Steps, sortInSteps } from '@shoal/core';
import { mergedBucket, type ReduceContext, reduceChildren } from '../../contract/reduce-context.ts';
import { isByKey } from '../../request/bucket-order.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import type { Bucket } from '../../tree/partial-node.ts';
import { formatOf, type ValueFormat } from '../../values/value-format.ts';
import { type BoundReading, histogramSpans } from './histogram-bounds.ts';
import type { HistogramOptions } from './histogram-options.ts';
import type { HistogramPartial } from './histogram-partial.ts';

/** How values fall into buckets. */
export interface Intervals {
  /** Key of the bucket that holds a value. */
  round(value: number): number;
  /** By how much they are moved. */
  readonly offset: number;
  /** Key of the next bucket. */
  next(key: number): number;
}

type AnyHistogram = AggregationNode & HistogramOptions;

export function* reduceHistogram(
  aggregation: AnyHistogram,
  intervals: () => Intervals,
  partials: readonly HistogramPartial[],
  context: ReduceContext,
): Steps<HistogramPartial> {
  const { meter } = context;
  const format = formatOf(partials);
  const merged = yield* mergeByKey(aggregation, partials, context);
  if (!context.isFinal) return { kind: 'histogram', format, buckets: merged };
  const shown = yield* withGaps(aggregation, intervals, merged, format, context);
  context.buckets.take(shown.length);
  const isPlainOrder = isByKey(aggregation.order) && aggregation.order[0]?.isAscending === true;
  if (isPlainOrder) return { kind: 'histogram', format, buckets: shown };
  const compare = context.compareBuckets(aggregation.order, aggregation.children, byNumber);
  return { kind: 'histogram', format, buckets: yield* sortInSteps(shown, compare, meter) };
}

function byNumber(a: number, b: number): number {
  return a - b;
}

/** Merges lists that are in the order of their keys: the least of their heads is next. */
function* mergeByKey(
  aggregation: AnyHistogram,
  partials: readonly HistogramPartial[],
  context: ReduceContext,
): Steps<Bucket<number>[]> {
  const lists = partials.map(({ buckets }) => buckets);
  const heads = new Uint32Array(lists.length);
  const areWholeAlone = context.areWholeAlone(aggregation.children);
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
    if (only !== undefined && same.length === 1 && areWholeAlone) merged.push(only);
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

/** Empty buckets made between two looks at the budget. */
const GAP_CHECK = 1_024;

function* withGaps(
  aggregation: AnyHistogram,
  intervalsOf: () => Intervals,
  merged: readonly Bucket<number>[],
  format: ValueFormat,
  context: ReduceContext,
): Steps<readonly Bucket<number>[]> {
  const { minDocCount } = aggregation;
  if (minDocCount === 1) return merged;
  if (minDocCount > 1) return merged.filter(({ docCount }) => docCount >= minDocCount);
  const intervals = intervalsOf();
  const [low, high] = shownSpan(aggregation, merged, format, {
    round: (value) => intervals.round(value),
    offset: intervals.offset,
    clock: context,
  });
  if (low > high) return merged;
  // Reduced once more: a histogram within a gap has the buckets that its bounds ask for.
  const like = merged.slice(0, 1).map((bucket) => ({ ...bucket, children: bucket.children.map(context.emptied) }));
  const empty = yield* reduceChildren(aggregation, like, context);
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
    // Taken before it is made, so that a tiny interval over a wide range ends here and not out of memory.
    if (filled.length % GAP_CHECK === 0) context.buckets.take(0);
    context.buckets.take(1);
    filled.push({ key, docCount: 0, children: empty });
    key = intervals.next(key);
  }
  const made = filled.length - merged.length;
  assert(made >= 0, `${filled.length} buckets with gaps of ${merged.length} without`);
  context.buckets.take(-made);
  return filled;
}

function shownSpan(
  aggregation: AnyHistogram,
  merged: readonly Bucket<number>[],
  format: ValueFormat,
  reading: BoundReading,
): readonly [number, number] {
  let low = merged[0]?.key ?? Number.POSITIVE_INFINITY;
  let high = merged.at(-1)?.key ?? Number.NEGATIVE_INFINITY;
  if (aggregation.extendedBounds !== null) {
    const { least, most } = histogramSpans(aggregation, format, reading).extended;
    if (Number.isFinite(least)) low = Math.min(low, least);
    if (Number.isFinite(most)) high = Math.max(high, most);
    // One bound alone spans nothing while there are no values.
    if (!Number.isFinite(low) || !Number.isFinite(high)) return [1, 0];
  }
  return [low, high];
}

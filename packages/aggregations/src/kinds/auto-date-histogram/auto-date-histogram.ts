/**
 * `auto_date_histogram`: at most so many buckets of equal intervals of time, chosen by what the documents span.
 */
import type { Steps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { groupedBuckets } from '../../contract/merged-by-key.ts';
import { severalBuckets } from '../../contract/path-context.ts';
import { mergedBucket, type ReduceContext, reduceChildren } from '../../contract/reduce-context.ts';
import type { BucketRenderer, ShownBucket } from '../../render/bucket-renderer.ts';
import { keyText } from '../../render/key-text.ts';
import type { Bucket } from '../../tree/partial-node.ts';
import { formatOf, valuePrinter } from '../../values/value-format.ts';
import { AUTO_DATE_PARTIAL, type AutoDatePartial } from './auto-date-partial.ts';
import { type AutoDateAggregation, parseAutoDate, readAutoDate } from './auto-date-request.ts';
import { type AutoIntervals, autoRounding, autoUnit, chooseIntervals } from './auto-intervals.ts';

export const autoDate: BucketKind<AutoDateAggregation, AutoDatePartial> = {
  family: 'bucket',
  kind: 'autoDate',
  parsers: { auto_date_histogram: parseAutoDate },
  read: readAutoDate,
  partial: AUTO_DATE_PARTIAL,
  isSequence: true,
  hasSeveralBuckets: () => true,
  isOrderStep: () => false,
  checkParents: () => undefined,
  resultType: () => 'auto_date_histogram',
  reduce: reduceAutoDate,
  render: renderAutoDate,
  keyText: (_, { format }, { key }) => keyText(key, format, true),
  pathNumber: (aggregation, partial, path) => severalBuckets(aggregation, partial, path, 'InternalAutoDateHistogram'),
};

/** Estimated cost of a bucket whose key is rounded, in microseconds. */
const ROUNDING_UNITS = 1;

function* reduceAutoDate(
  aggregation: AutoDateAggregation,
  partials: readonly AutoDatePartial[],
  context: ReduceContext,
): Steps<AutoDatePartial> {
  const format = formatOf(partials);
  let level = aggregation.least;
  for (const partial of partials) if (partial.buckets.length > 0) level = Math.max(level, partial.level);
  const rounding = autoRounding(level, aggregation.timeZone);
  const groups = yield* groupedBuckets(partials, ({ key }) => rounding.round(key), context.meter, ROUNDING_UNITS);
  const keys = [...groups.keys()].sort((a, b) => a - b);
  if (!context.isFinal) {
    const buckets: Bucket<number>[] = [];
    for (const key of keys)
      buckets.push({ key, ...(yield* mergedBucket(aggregation, groups.get(key) ?? [], context)) });
    return { kind: 'autoDate', format, level, multiple: 1, buckets };
  }
  const chosen = chooseIntervals(keys, level, aggregation.wanted, aggregation.timeZone);
  context.buckets.take(chosen.keys.length);
  const buckets = yield* filledBuckets(aggregation, chosen, groups, context);
  return { kind: 'autoDate', format, level: chosen.level, multiple: chosen.multiple, buckets };
}

function* filledBuckets(
  aggregation: AutoDateAggregation,
  chosen: AutoIntervals,
  groups: ReadonlyMap<number, readonly Bucket<number>[]>,
  context: ReduceContext,
): Steps<Bucket<number>[]> {
  const sorted = [...groups].sort(([a], [b]) => a - b);
  const [first] = sorted[0]?.[1] ?? [];
  const empty =
    first?.children.map((child) => context.emptied(child)) ?? (yield* reduceChildren(aggregation, [], context));
  const buckets: Bucket<number>[] = [];
  let at = 0;
  for (const [i, key] of chosen.keys.entries()) {
    const end = chosen.keys[i + 1] ?? Number.POSITIVE_INFINITY;
    const same: Bucket<number>[] = [];
    for (; at < sorted.length && (sorted[at]?.[0] as number) < end; at++) same.push(...(sorted[at]?.[1] ?? []));
    if (same.length === 0) buckets.push({ key, docCount: 0, children: empty });
    else buckets.push({ key, ...(yield* mergedBucket(aggregation, same, context)) });
    if (context.meter.isDue(0.3)) yield;
  }
  return buckets;
}

function* renderAutoDate(
  aggregation: AutoDateAggregation,
  partial: AutoDatePartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  const printer = valuePrinter(partial.format);
  const shown = (at: number): ShownBucket => {
    const bucket = partial.buckets[at] as Bucket<number>;
    const head = { key_as_string: printer.text(bucket.key) ?? undefined, key: bucket.key, doc_count: bucket.docCount };
    return { name: '', head, bucket };
  };
  yield* to.member(aggregation, false, partial.buckets.length, shown, isFirst);
  // Buckets that a pipeline dropped had an interval; where no document was, nothing asks for a longer one than the least.
  const [multiple, level] = partial.multiple === 0 ? [1, aggregation.least] : [partial.multiple, partial.level];
  to.out.members({ interval: `${multiple}${autoUnit(level).letter}` }, false);
}

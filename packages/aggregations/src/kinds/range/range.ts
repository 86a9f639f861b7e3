/**
 * `range`, `date_range` and `geo_distance`: a bucket for each range that the request names.
 */
import { DoubleNumber, type Steps } from '@shoal/core';
import type { BucketKind } from '../../contract/aggregation-kind.ts';
import { severalBuckets } from '../../contract/path-context.ts';
import { mergedBucket, type ReduceContext } from '../../contract/reduce-context.ts';
import type { BucketRenderer, ShownBucket } from '../../render/bucket-renderer.ts';
import type { Bucket } from '../../tree/partial-node.ts';
import { formatOf, type ValuePrinter, valuePrinter } from '../../values/value-format.ts';
import { RANGE_PARTIAL, type RangeEnds, type RangeKey, type RangePartial } from './range-partial.ts';
import { parseGeoDistance, type RangeAggregation, rangeParser, readRange } from './range-request.ts';

export const range: BucketKind<RangeAggregation, RangePartial> = {
  family: 'bucket',
  kind: 'range',
  parsers: { date_range: rangeParser('date_range'), geo_distance: parseGeoDistance, range: rangeParser('range') },
  read: readRange,
  partial: RANGE_PARTIAL,
  isSequence: false,
  hasSeveralBuckets: () => true,
  isOrderStep: () => false,
  checkParents: () => undefined,
  resultType: ({ type }) => type,
  reduce: reduceRanges,
  render: renderRanges,
  keyText: (aggregation, partial, _bucket, position) => {
    const bucket = partial.buckets[position];
    return bucket === undefined ? '' : rangeName(aggregation, bucket.key, valuePrinter(partial.format));
  },
  pathNumber: (aggregation, partial, path) => severalBuckets(aggregation, partial, path, 'InternalRange'),
};

function* reduceRanges(
  aggregation: RangeAggregation,
  partials: readonly RangePartial[],
  context: ReduceContext,
): Steps<RangePartial> {
  const [first] = partials;
  context.buckets.take(context.isFinal ? aggregation.ranges.length : 0);
  const buckets: Bucket<RangeKey>[] = [];
  for (const [i, { key }] of (first?.buckets ?? []).entries()) {
    const same = partials.flatMap((partial) => partial.buckets[i] ?? []);
    buckets.push({ key, ...(yield* mergedBucket(aggregation, same, context)) });
  }
  if (context.isFinal) buckets.sort((a, b) => compareEnds(endsOf(aggregation, a.key), endsOf(aggregation, b.key)));
  return { kind: 'range', format: formatOf(partials), buckets };
}

function renderRanges(
  aggregation: RangeAggregation,
  partial: RangePartial,
  to: BucketRenderer,
  isFirst: boolean,
): Steps<void> {
  const printer = valuePrinter(partial.format);
  const text = (end: number): string | null => (Number.isFinite(end) ? printer.text(end) : null);
  const rendered = partial.buckets.map((bucket) => {
    const ends = endsOf(aggregation, bucket.key);
    const name = rangeName(aggregation, ends, printer);
    const head = {
      key: aggregation.isKeyed ? undefined : name,
      from: Number.isFinite(ends.from) ? new DoubleNumber(ends.from) : undefined,
      from_as_string: text(ends.from) ?? undefined,
      to: Number.isFinite(ends.to) ? new DoubleNumber(ends.to) : undefined,
      to_as_string: text(ends.to) ?? undefined,
      doc_count: bucket.docCount,
    };
    return { name, head, bucket };
  });
  const shown = (at: number): ShownBucket => rendered[at] as ShownBucket;
  return to.member(aggregation, aggregation.isKeyed, rendered.length, shown, isFirst);
}

/** Name that the request gave to a range, or its ends. */
function rangeName(
  { origin, ranges }: RangeAggregation,
  { from, to, position }: RangeKey,
  printer: ValuePrinter,
): string {
  const named = (end: number): string =>
    Number.isFinite(end) ? (printer.text(end) ?? String(new DoubleNumber(end))) : '*';
  return ranges[position]?.key ?? `${origin !== undefined && from === 0 ? '*' : named(from)}-${named(to)}`;
}

/** Distances begin at 0, also where a range names no beginning. */
function endsOf({ origin }: RangeAggregation, key: RangeKey): RangeKey {
  return origin === undefined || Number.isFinite(key.from) ? key : { ...key, from: 0 };
}

function compareEnds(a: RangeEnds, b: RangeEnds): number {
  return a.from - b.from || a.to - b.to || 0;
}

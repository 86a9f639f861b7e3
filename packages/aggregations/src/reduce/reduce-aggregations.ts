/**
 * Partial results of many shards to one: associative, so that some may be merged while others are awaited.
 *
 * Only the final reduce cuts lists to the size that was asked for, and fills gaps; what it makes is for rendering alone.
 */
import { illegalArgument, ShoalError, unreachable } from '@shoal/core';
import type {
  Aggregation,
  AggregationLevel,
  FiltersAggregation,
  PercentilesAggregation,
  RangeAggregation,
} from '../aggregation.ts';
import {
  type Bucket,
  type CardinalityPartial,
  expectKind,
  type FiltersPartial,
  type PartialResult,
  type PercentilesPartial,
  PLAIN_FORMAT,
  type RangePartial,
  type StatsPartial,
  type ValueFormat,
} from '../partial-result.ts';
import { applyPipelines, type FinishedLevel } from '../pipelines/apply-pipelines.ts';
import { HdrSketch } from '../sketches/hdr-sketch.ts';
import { HyperLogLog, precisionOf } from '../sketches/hyper-log-log.ts';
import { TDigest } from '../sketches/t-digest.ts';
import { reduceComposite } from './reduce-composite.ts';
import { reduceHistogram } from './reduce-histogram.ts';
import { reduceTerms } from './reduce-terms.ts';

export interface ReduceContext {
  readonly isFinal: boolean;
  /** Counts the buckets of the answer; throws when they are too many. */
  readonly buckets: BucketBudget;
}

/** Buckets that one answer may have. */
export class BucketBudget {
  private readonly limit: number;
  private count = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** @throws ShoalError `too_many_buckets_exception` */
  take(count: number): void {
    this.count += count;
    if (this.count <= this.limit) return;
    throw new ShoalError(
      'too_many_buckets_exception',
      400,
      `Trying to create too many buckets. Must be less than or equal to: [${this.limit}] but was [${this.count}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
      { metadata: { max_buckets: this.limit } },
    );
  }
}

/** The answer of all shards: merged for the last time, with the values of pipelines. */
export function finishAggregations(
  level: AggregationLevel,
  shards: readonly (readonly PartialResult[])[],
  buckets: BucketBudget,
): FinishedLevel {
  return applyPipelines(level, reduceAggregations(level.aggregations, shards, { isFinal: true, buckets }));
}

/** @param shards what each shard answered: one partial result an aggregation, in their order */
export function reduceAggregations(
  aggregations: readonly Aggregation[],
  shards: readonly (readonly PartialResult[])[],
  context: ReduceContext,
): readonly PartialResult[] {
  return aggregations.map((aggregation, i) => {
    const partials: PartialResult[] = [];
    for (const shard of shards) {
      const partial = shard[i];
      if (partial !== undefined) partials.push(partial);
    }
    return reduceOne(aggregation, partials, context);
  });
}

/** Children of buckets that became one. */
export function reduceChildren(
  aggregation: Aggregation,
  buckets: readonly Bucket<unknown>[],
  context: ReduceContext,
): readonly PartialResult[] {
  if (aggregation.children.length === 0) return [];
  return reduceAggregations(
    aggregation.children,
    buckets.map(({ children }) => children),
    context,
  );
}

function reduceOne(
  aggregation: Aggregation,
  partials: readonly PartialResult[],
  context: ReduceContext,
): PartialResult {
  switch (aggregation.kind) {
    case 'stats':
      return reduceStats(ofKind(partials, 'stats'));
    case 'cardinality': {
      const sketch = new HyperLogLog(precisionOf(aggregation.precisionThreshold));
      for (const partial of ofKind(partials, 'cardinality')) mergeSketch(sketch, partial);
      return { kind: 'cardinality', sketch };
    }
    case 'percentiles':
      return reducePercentiles(aggregation, ofKind(partials, 'percentiles'));
    case 'weightedAverage': {
      const sum = new KahanSum();
      const weight = new KahanSum();
      for (const partial of ofKind(partials, 'weightedAverage')) {
        sum.add(partial.sum);
        weight.add(partial.weight);
      }
      return { kind: 'weightedAverage', sum: sum.value, weight: weight.value };
    }
    case 'terms':
      return reduceTerms(aggregation, ofKind(partials, 'terms'), context);
    case 'histogram':
    case 'dateHistogram':
      return reduceHistogram(aggregation, ofKind(partials, 'histogram'), context);
    case 'range':
      return reduceRanges(aggregation, ofKind(partials, 'range'), context);
    case 'filters':
      return reduceFilters(aggregation, ofKind(partials, 'filters'), context);
    case 'composite':
      return reduceComposite(aggregation, ofKind(partials, 'composite'), context);
    default:
      return unreachable(aggregation);
  }
}

function ofKind<Kind extends PartialResult['kind']>(
  partials: readonly PartialResult[],
  kind: Kind,
): readonly Extract<PartialResult, { kind: Kind }>[] {
  return partials.map((partial) => expectKind(partial, kind));
}

/** Shards that do not have the field say nothing of its format. */
export function formatOf(partials: readonly { readonly format: ValueFormat }[]): ValueFormat {
  return partials.find(({ format }) => format.kind !== 'plain')?.format ?? PLAIN_FORMAT;
}

function reduceStats(partials: readonly StatsPartial[]): StatsPartial {
  let [count, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const sum = new KahanSum();
  const sumOfSquares = new KahanSum();
  for (const partial of partials) {
    count += partial.count;
    min = Math.min(min, partial.min);
    max = Math.max(max, partial.max);
    sum.add(partial.sum);
    sumOfSquares.add(partial.sumOfSquares);
  }
  return {
    kind: 'stats',
    format: formatOf(partials),
    count,
    sum: sum.value,
    min,
    max,
    sumOfSquares: sumOfSquares.value,
  };
}

/** A sum that keeps what adding rounds away (W. Kahan, 1965), so that the order of shards hardly matters. */
export class KahanSum {
  value = 0;
  private lost = 0;

  add(next: number): void {
    if (!Number.isFinite(next) || !Number.isFinite(this.value)) {
      this.value += next;
      return;
    }
    const corrected = next - this.lost;
    const sum = this.value + corrected;
    this.lost = sum - this.value - corrected;
    this.value = sum;
  }
}

function mergeSketch(into: HyperLogLog, { sketch }: CardinalityPartial): void {
  if (sketch.precision !== into.precision)
    throw illegalArgument('shards counted distinct values with different precision');
  into.merge(sketch);
}

function reducePercentiles(
  { method }: PercentilesAggregation,
  partials: readonly PercentilesPartial[],
): PercentilesPartial {
  const format = formatOf(partials);
  if (method.kind === 'hdr') {
    const sketch = new HdrSketch(method.digits);
    for (const partial of partials) if (partial.sketch instanceof HdrSketch) sketch.merge(partial.sketch);
    return { kind: 'percentiles', format, sketch };
  }
  const sketch = new TDigest(method.compression);
  for (const partial of partials) if (partial.sketch instanceof TDigest) sketch.merge(partial.sketch);
  return { kind: 'percentiles', format, sketch };
}

function reduceRanges(
  aggregation: RangeAggregation,
  partials: readonly RangePartial[],
  context: ReduceContext,
): RangePartial {
  const [first] = partials;
  context.buckets.take(context.isFinal ? aggregation.ranges.length : 0);
  const buckets = (first?.buckets ?? []).map(({ key }, i) => {
    const same = partials.flatMap((partial) => partial.buckets[i] ?? []);
    return { key, ...mergedBucket(aggregation, same, context) };
  });
  return { kind: 'range', format: formatOf(partials), buckets };
}

function reduceFilters(
  aggregation: FiltersAggregation,
  partials: readonly FiltersPartial[],
  context: ReduceContext,
): FiltersPartial {
  const count = aggregation.filters.length + (aggregation.otherKey === null ? 0 : 1);
  context.buckets.take(context.isFinal && count > 1 ? count : 0);
  const buckets = Array.from({ length: count }, (_, i) => {
    const same = partials.flatMap((partial) => partial.buckets[i] ?? []);
    return { key: null, ...mergedBucket(aggregation, same, context) };
  });
  return { kind: 'filters', buckets };
}

/** Documents and children of buckets with one key. */
export function mergedBucket(
  aggregation: Aggregation,
  buckets: readonly Bucket<unknown>[],
  context: ReduceContext,
): Pick<Bucket<null>, 'docCount' | 'children'> {
  let docCount = 0;
  for (const bucket of buckets) docCount += bucket.docCount;
  return { docCount, children: reduceChildren(aggregation, buckets, context) };
}

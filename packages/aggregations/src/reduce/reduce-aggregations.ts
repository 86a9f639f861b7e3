/**
 * Partial results of many shards to one: associative, so that some may be merged while others are awaited.
 *
 * Only the final reduce cuts lists to the size that was asked for, and fills gaps; what it makes is for rendering alone.
 */
import { runSteps, ShoalError, StepMeter, type Steps, unreachable } from '@shoal/core';
import type { Bucket, FiltersPartial, PartialResult, RangeEnds, RangePartial } from '../partials/partial-result.ts';
import { applyPipelines, type FinishedLevel } from '../pipelines/apply-pipelines.ts';
import type {
  Aggregation,
  AggregationLevel,
  BucketAggregation,
  FiltersAggregation,
  MetricAggregation,
  PercentilesAggregation,
  RangeAggregation,
} from '../tree/aggregation.ts';
import { isMetric } from '../values/metric-value.ts';
import { reduceComposite } from './reduce-composite.ts';
import { reduceHistogram } from './reduce-histogram.ts';
import { formatOf, METRIC_UNITS, ofKind, reduceMetric } from './reduce-metrics.ts';
import { reduceTerms } from './reduce-terms.ts';

export interface ReduceContext {
  readonly isFinal: boolean;
  /** Counts the buckets of the answer; throws when they are too many. */
  readonly buckets: BucketBudget;
  /** Counts the work: a reduce is done in steps. */
  readonly meter: StepMeter;
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
  return runSteps(reduceInSteps(level, shards, buckets));
}

/** As `finishAggregations`; errors come out of the steps. */
export function* reduceInSteps(
  level: AggregationLevel,
  shards: readonly (readonly PartialResult[])[],
  buckets: BucketBudget,
): Steps<FinishedLevel> {
  const meter = new StepMeter();
  const reduced = yield* reduceLevel(level.aggregations, shards, { isFinal: true, buckets, meter });
  return yield* applyPipelines(level, reduced, meter);
}

export function reduceAggregations(
  aggregations: readonly Aggregation[],
  shards: readonly (readonly PartialResult[])[],
  context: Omit<ReduceContext, 'meter'>,
): readonly PartialResult[] {
  return runSteps(reduceLevel(aggregations, shards, { ...context, meter: new StepMeter() }));
}

/** @param shards what each shard answered: one partial result an aggregation, in their order */
function* reduceLevel(
  aggregations: readonly Aggregation[],
  shards: readonly (readonly PartialResult[])[],
  context: ReduceContext,
): Steps<readonly PartialResult[]> {
  const reduced: PartialResult[] = [];
  for (const [i, aggregation] of aggregations.entries()) {
    const partials: PartialResult[] = [];
    for (const shard of shards) {
      const partial = shard[i];
      if (partial !== undefined) partials.push(partial);
    }
    const only = partials.length === 1 ? partials[0] : undefined;
    if (only !== undefined && isAsItIs(aggregation)) reduced.push(only);
    else if (isMetric(aggregation)) {
      reduced.push(reduceMetric(aggregation, partials));
      if (context.meter.isDue(METRIC_UNITS[aggregation.kind] * partials.length)) yield;
    } else reduced.push(yield* reduceBuckets(aggregation, partials, context));
  }
  return reduced;
}

/** Of one shard alone there is nothing to merge. Digests are folded once more, as those of several shards are. */
function isAsItIs(aggregation: Aggregation): aggregation is Exclude<MetricAggregation, PercentilesAggregation> {
  return isMetric(aggregation) && aggregation.kind !== 'percentiles';
}

/** Children of buckets that became one. */
export function reduceChildren(
  aggregation: Aggregation,
  buckets: readonly Bucket<unknown>[],
  context: ReduceContext,
): Steps<readonly PartialResult[]> {
  return reduceLevel(
    aggregation.children,
    buckets.map(({ children }) => children),
    context,
  );
}

function reduceBuckets(
  aggregation: BucketAggregation,
  partials: readonly PartialResult[],
  context: ReduceContext,
): Steps<PartialResult> {
  switch (aggregation.kind) {
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

function* reduceRanges(
  aggregation: RangeAggregation,
  partials: readonly RangePartial[],
  context: ReduceContext,
): Steps<RangePartial> {
  const [first] = partials;
  context.buckets.take(context.isFinal ? aggregation.ranges.length : 0);
  const buckets: Bucket<RangeEnds>[] = [];
  for (const [i, { key }] of (first?.buckets ?? []).entries()) {
    const same = partials.flatMap((partial) => partial.buckets[i] ?? []);
    buckets.push({ key, ...(yield* mergedBucket(aggregation, same, context)) });
  }
  return { kind: 'range', format: formatOf(partials), buckets };
}

function* reduceFilters(
  aggregation: FiltersAggregation,
  partials: readonly FiltersPartial[],
  context: ReduceContext,
): Steps<FiltersPartial> {
  const count = aggregation.filters.length + (aggregation.otherKey === null ? 0 : 1);
  context.buckets.take(context.isFinal && count > 1 ? count : 0);
  const buckets: Bucket<null>[] = [];
  for (let i = 0; i < count; i++) {
    const same = partials.flatMap((partial) => partial.buckets[i] ?? []);
    buckets.push({ key: null, ...(yield* mergedBucket(aggregation, same, context)) });
  }
  return { kind: 'filters', buckets };
}

/** Documents and children of buckets with one key. */
export function* mergedBucket(
  aggregation: Aggregation,
  buckets: readonly Bucket<unknown>[],
  context: ReduceContext,
): Steps<Pick<Bucket<null>, 'docCount' | 'children'>> {
  let docCount = 0;
  for (const bucket of buckets) docCount += bucket.docCount;
  return { docCount, children: yield* reduceChildren(aggregation, buckets, context) };
}

/** What one shard alone knows of a bucket may be shown as it is: nothing in it is to be merged or cut. */
export function isWholeAlready(aggregation: Aggregation, buckets: readonly Bucket<unknown>[]): boolean {
  return buckets.length === 1 && aggregation.children.every(isAsItIs);
}

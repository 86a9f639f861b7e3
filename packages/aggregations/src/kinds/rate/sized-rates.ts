/**
 * Results of a shard with the size of the interval around each rate: collectors of rates know nothing of the keys of the buckets
 * that they are in.
 */
import type { StepMeter, Steps } from '@shoal/core';
import type { DateInterval } from '../../intervals/date-interval.ts';
import type { AggregationNode } from '../../tree/aggregation-node.ts';
import { isBucketed, type PartialNode } from '../../tree/partial-node.ts';
import type { RatePartial } from './rate.ts';
import { intervalsOf, unitsIn } from './rate-intervals.ts';
import type { RateAggregation } from './rate-request.ts';

/** Interval around a result. */
interface Around {
  readonly interval: DateInterval;
  readonly start: number;
}

/** @param partials one an aggregation */
export function* withRateUnits<P extends PartialNode>(
  aggregations: readonly AggregationNode[],
  partials: readonly P[],
  meter: StepMeter,
): Steps<readonly P[]> {
  return aggregations.some(hasRate) ? yield* sizedAll(aggregations, partials, null, meter) : partials;
}

function hasRate({ kind, children }: AggregationNode): boolean {
  return kind === 'rate' || children.some(hasRate);
}

function* sizedAll<P extends PartialNode>(
  aggregations: readonly AggregationNode[],
  partials: readonly P[],
  around: Around | null,
  meter: StepMeter,
): Steps<readonly P[]> {
  const sized: P[] = [];
  for (const [i, partial] of partials.entries()) {
    const aggregation = aggregations[i];
    const isTouched = aggregation !== undefined && hasRate(aggregation);
    sized.push(isTouched ? yield* sizedOne(aggregation, partial, around, meter) : partial);
  }
  return sized;
}

function* sizedOne<P extends PartialNode>(
  aggregation: AggregationNode,
  partial: P,
  around: Around | null,
  meter: StepMeter,
): Steps<P> {
  if (isRate(aggregation) && isRatePartial(partial)) {
    if (around === null) return partial;
    return { ...partial, units: unitsIn(aggregation.unit, around.interval, around.start) };
  }
  if (!isBucketed(partial)) return partial;
  const intervals = intervalsOf(aggregation);
  const buckets = [];
  for (const bucket of partial.buckets) {
    const start = intervals?.startOf(bucket.key) ?? null;
    const inner = intervals === null ? around : start === null ? null : { interval: intervals.interval, start };
    buckets.push({ ...bucket, children: yield* sizedAll(aggregation.children, bucket.children, inner, meter) });
    if (meter.isDue(1)) yield;
  }
  return { ...partial, buckets };
}

function isRate(node: AggregationNode): node is RateAggregation {
  return node.kind === 'rate';
}

function isRatePartial(partial: PartialNode): partial is RatePartial {
  return partial.kind === 'rate';
}

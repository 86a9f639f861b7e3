/**
 * Partial results of many shards to one: associative, so that some may be merged while others are awaited.
 *
 * Only the final reduce cuts lists to the size that was asked for, and fills gaps; what it makes is for rendering alone.
 */
import { assert, runSteps, StepMeter, type Steps } from '@shoal/core';
import type { AggregationKind } from '../contract/aggregation-kind.ts';
import { BucketBudget } from '../contract/bucket-budget.ts';
import type { ReduceContext } from '../contract/reduce-context.ts';
import { assertResult, bucketedResult, kindOf } from '../kinds/aggregation-kinds.ts';
import type { AggregationLevel, AggregationNode } from '../tree/aggregation-node.ts';
import type { FinishedLevel } from '../tree/finished-level.ts';
import type { PartialNode } from '../tree/partial-node.ts';
import { applyPipelines } from './apply-pipelines.ts';
import { emptiedResult } from './emptied-result.ts';
import { bucketComparison } from './order-numbers.ts';

/** Merges the answers of all shards for the last time, and computes the values of pipelines. */
export function finishAggregations(
  level: AggregationLevel,
  shards: readonly (readonly PartialNode[])[],
  buckets: BucketBudget,
  nowMs = 0,
): FinishedLevel {
  return runSteps(reduceInSteps(level, shards, { buckets, nowMs }));
}

/** `finishAggregations` in steps; errors come out of the steps. */
export function* reduceInSteps(
  level: AggregationLevel,
  shards: readonly (readonly PartialNode[])[],
  { buckets, nowMs }: Pick<ReduceContext, 'buckets' | 'nowMs'>,
): Steps<FinishedLevel> {
  const meter = new StepMeter();
  const context = new LevelReducer({ isFinal: true, buckets, nowMs }, meter);
  const reduced = yield* context.reduceLevel(level.aggregations, shards);
  return yield* applyPipelines(level, reduced, meter);
}

/** Merges answers of some shards, in steps; others may be merged with the result. */
export function reduceBatchInSteps(
  aggregations: readonly AggregationNode[],
  shards: readonly (readonly PartialNode[])[],
): Steps<readonly PartialNode[]> {
  // Buckets are counted in the last reduce, which makes the answer.
  const options = { isFinal: false, buckets: new BucketBudget(Number.POSITIVE_INFINITY), nowMs: 0 };
  return new LevelReducer(options, new StepMeter()).reduceLevel(aggregations, shards);
}

export function reduceAggregations(
  aggregations: readonly AggregationNode[],
  shards: readonly (readonly PartialNode[])[],
  { isFinal, buckets }: Pick<ReduceContext, 'isFinal' | 'buckets'>,
): readonly PartialNode[] {
  return runSteps(new LevelReducer({ isFinal, buckets, nowMs: 0 }, new StepMeter()).reduceLevel(aggregations, shards));
}

class LevelReducer implements ReduceContext {
  readonly isFinal: boolean;
  readonly buckets: BucketBudget;
  readonly nowMs: number;
  readonly meter: StepMeter;

  constructor(options: Pick<ReduceContext, 'isFinal' | 'buckets' | 'nowMs'>, meter: StepMeter) {
    this.isFinal = options.isFinal;
    this.buckets = options.buckets;
    this.nowMs = options.nowMs;
    this.meter = meter;
  }

  readonly compareBuckets = bucketComparison;
  readonly emptied = emptiedResult;

  /** @param lists what each shard or bucket has: one partial result an aggregation, in their order */
  *reduceLevel(
    aggregations: readonly AggregationNode[],
    lists: readonly (readonly PartialNode[])[],
  ): Steps<readonly PartialNode[]> {
    const reduced: PartialNode[] = [];
    for (const [i, aggregation] of aggregations.entries()) {
      const kind = kindOf(aggregation);
      const partials: PartialNode[] = [];
      for (const list of lists) {
        const partial = list[i];
        if (partial !== undefined) partials.push(partial);
      }
      const only = partials.length === 1 ? partials[0] : undefined;
      if (only !== undefined && isWholeAlone(kind)) reduced.push(only);
      else if (kind.family === 'metric') {
        for (const partial of partials) assertResult(kind, partial);
        reduced.push(kind.reduce(aggregation, partials));
        if (this.meter.isDue(kind.reduceUnits * partials.length)) yield;
      } else {
        const bucketed = partials.map((partial) => bucketedResult(kind, partial));
        reduced.push(yield* kind.reduce(aggregation, bucketed, this));
      }
    }
    assert(reduced.length === aggregations.length, `${reduced.length} results of ${aggregations.length} aggregations`);
    return reduced;
  }

  areWholeAlone(aggregations: readonly AggregationNode[]): boolean {
    return aggregations.every((aggregation) => isWholeAlone(kindOf(aggregation)));
  }
}

function isWholeAlone(kind: AggregationKind): boolean {
  return kind.family === 'metric' && kind.isWholeAlone;
}

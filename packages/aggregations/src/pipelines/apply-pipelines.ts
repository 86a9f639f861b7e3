/**
 * Computes pipeline aggregations over a finally reduced tree: inner levels first, since outer ones may look at their values.
 */
import { illegalArgument, type StepMeter, type Steps } from '@shoal/core';
import { pathsOf } from '../parse/parse-pipelines.ts';
import type { PartialResult } from '../partials/partial-result.ts';
import type { Aggregation, AggregationLevel } from '../tree/aggregation.ts';
import type { ParentPipeline, PipelineAggregation, SiblingPipeline } from '../tree/pipeline-aggregation.ts';
import type { FinishedBucket, PipelineValue, PipelineValues } from './bucket-value.ts';
import { runParent } from './parent-pipelines.ts';
import { runSibling } from './sibling-pipelines.ts';

/** Results of one level: one an aggregation, and the values of its pipelines by name. */
export interface FinishedLevel {
  readonly partials: readonly PartialResult[];
  readonly values: PipelineValues;
}

const NO_VALUES: PipelineValues = new Map();

export function* applyPipelines(
  { aggregations, pipelines }: AggregationLevel,
  partials: readonly PartialResult[],
  meter: StepMeter,
): Steps<FinishedLevel> {
  const finished: PartialResult[] = [];
  for (const [i, partial] of partials.entries()) {
    const aggregation = aggregations[i];
    const hasNone = aggregation === undefined || !hasPipelines(aggregation);
    finished.push(hasNone ? partial : yield* finishOne(aggregation, partial, meter));
  }
  const siblings = inOrder(pipelines).filter((pipeline): pipeline is SiblingPipeline => pipeline.kind === 'sibling');
  if (siblings.length === 0) return { partials: finished, values: NO_VALUES };
  const values = new Map<string, PipelineValue>();
  for (const pipeline of siblings) {
    const at = aggregations.findIndex(({ name }) => name === pipeline.path[0]);
    const [aggregation, partial] = [aggregations[at], finished[at]];
    if (aggregation !== undefined && partial !== undefined && 'buckets' in partial) {
      values.set(pipeline.name, yield* runSibling(pipeline, aggregation, partial, meter));
    }
  }
  return { partials: finished, values };
}

function hasPipelines({ pipelines, children }: Aggregation): boolean {
  return pipelines.length > 0 || children.some(hasPipelines);
}

function* finishOne(aggregation: Aggregation, partial: PartialResult, meter: StepMeter): Steps<PartialResult> {
  if (!('buckets' in partial)) return partial;
  const level = { aggregations: aggregation.children, pipelines: aggregation.pipelines };
  let buckets: readonly FinishedBucket[] = partial.buckets;
  if (level.aggregations.some(hasPipelines) || level.pipelines.some(({ kind }) => kind === 'sibling')) {
    const inner: FinishedBucket[] = [];
    for (const bucket of buckets) {
      const { partials, values } = yield* applyPipelines(level, bucket.children, meter);
      inner.push({ ...bucket, children: partials, values });
      if (meter.isDue(1)) yield;
    }
    buckets = inner;
  }
  const parents = inOrder(aggregation.pipelines).filter((p): p is ParentPipeline => p.kind === 'parent');
  for (const pipeline of parents) buckets = yield* runParent(pipeline, aggregation, buckets, meter);
  // The buckets are those of the result, with values beside.
  return { ...partial, buckets } as PartialResult;
}

/** Those first whose values others need; what sorts and cuts the buckets comes last. */
function inOrder(pipelines: readonly PipelineAggregation[]): readonly PipelineAggregation[] {
  if (pipelines.length <= 1) return pipelines;
  const left = new Set(pipelines);
  const ordered: PipelineAggregation[] = [];
  while (left.size > 0) {
    const names = new Set([...left].map(({ name }) => name));
    const isFree = (one: PipelineAggregation): boolean => !pathsOf(one).some(([first = '']) => names.has(first));
    const free = [...left].filter(isFree);
    const next = free.find((one) => one.kind !== 'parent' || one.type !== 'bucket_sort') ?? free[0];
    if (next === undefined) throw illegalArgument(`Cycle found with aggregators [${[...names].join(', ')}]`);
    ordered.push(next);
    left.delete(next);
  }
  return ordered;
}

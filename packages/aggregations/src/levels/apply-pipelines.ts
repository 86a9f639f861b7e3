/**
 * Computes pipeline aggregations over a finally reduced tree: inner levels first, since outer ones may look at their values.
 */
import { illegalArgument, type StepMeter, type Steps } from '@shoal/core';
import { pathsOf, pipelineKindOf } from '../pipelines/kinds/pipeline-kinds.ts';
import { takenValues } from '../pipelines/taken-values.ts';
import type { AggregationLevel, AggregationNode } from '../tree/aggregation-node.ts';
import { type FinishedBucket, type FinishedLevel, NO_VALUES, type PipelineValue } from '../tree/finished-level.ts';
import { type BucketedPartial, isBucketed, type PartialNode } from '../tree/partial-node.ts';
import type { PipelineNode } from '../tree/pipeline-node.ts';

export function* applyPipelines(
  { aggregations, pipelines }: AggregationLevel,
  partials: readonly PartialNode[],
  meter: StepMeter,
): Steps<FinishedLevel> {
  const finished: PartialNode[] = [];
  for (const [i, partial] of partials.entries()) {
    const aggregation = aggregations[i];
    const hasNone = aggregation === undefined || !hasPipelines(aggregation);
    finished.push(hasNone ? partial : yield* finishOne(aggregation, partial, meter));
  }
  const values = new Map<string, PipelineValue>();
  for (const pipeline of inOrder(pipelines)) {
    const kind = pipelineKindOf(pipeline);
    if (kind.family !== 'sibling') continue;
    const at = aggregations.findIndex(({ name }) => name === pipeline.path[0]);
    const [aggregation, partial] = [aggregations[at], finished[at]];
    if (aggregation !== undefined && partial !== undefined && isBucketed(partial)) {
      const taken = yield* takenValues(pipeline, aggregation, partial, meter);
      values.set(pipeline.name, kind.combine(pipeline, taken));
    }
  }
  return { partials: finished, values: values.size === 0 ? NO_VALUES : values };
}

function hasPipelines({ pipelines, children }: AggregationNode): boolean {
  return pipelines.length > 0 || children.some(hasPipelines);
}

function* finishOne(aggregation: AggregationNode, partial: PartialNode, meter: StepMeter): Steps<PartialNode> {
  if (!isBucketed(partial)) return partial;
  const level = { aggregations: aggregation.children, pipelines: aggregation.pipelines };
  let buckets: readonly FinishedBucket[] = partial.buckets;
  if (
    level.aggregations.some(hasPipelines) ||
    level.pipelines.some((pipeline) => pipelineKindOf(pipeline).family === 'sibling')
  ) {
    const inner: FinishedBucket[] = [];
    for (const bucket of buckets) {
      const { partials, values } = yield* applyPipelines(level, bucket.children, meter);
      inner.push({ ...bucket, children: partials, values });
      if (meter.isDue(1)) yield;
    }
    buckets = inner;
  }
  for (const pipeline of inOrder(aggregation.pipelines)) {
    const kind = pipelineKindOf(pipeline);
    if (kind.family === 'parent') buckets = yield* kind.run(pipeline, aggregation, buckets, meter);
  }
  return withBuckets(partial, buckets);
}

/** The same result with other buckets. */
function withBuckets(partial: BucketedPartial, buckets: readonly FinishedBucket[]): BucketedPartial {
  return { ...partial, buckets };
}

/** Pipelines in the order of computing: those first whose values others need; those that cut the buckets last. */
function inOrder(pipelines: readonly PipelineNode[]): readonly PipelineNode[] {
  if (pipelines.length <= 1) return pipelines;
  const left = new Set(pipelines);
  const ordered: PipelineNode[] = [];
  while (left.size > 0) {
    const names = new Set([...left].map(({ name }) => name));
    const isFree = (one: PipelineNode): boolean => !pathsOf(one).some(([first = '']) => names.has(first));
    const free = [...left].filter(isFree);
    const next = free.find((one) => !isLast(one)) ?? free[0];
    if (next === undefined) throw illegalArgument(`Cycle found with aggregators [${[...names].join(', ')}]`);
    ordered.push(next);
    left.delete(next);
  }
  return ordered;
}

function isLast(pipeline: PipelineNode): boolean {
  const kind = pipelineKindOf(pipeline);
  return kind.family === 'parent' && kind.isLast;
}

/**
 * Values that a pipeline adds to each bucket of the aggregation around it.
 */
import type { StepMeter, Steps } from '@shoal/core';
import type { AggregationNode } from '../tree/aggregation-node.ts';
import type { FinishedBucket, PipelineValue } from '../tree/finished-level.ts';
import type { PipelineNode } from '../tree/pipeline-node.ts';
import { bucketValue } from './bucket-value.ts';

/** Microseconds that a bucket costs, about. */
const BUCKET_UNITS = 0.7;

/** @param valueAt makes the value of the bucket at a position, given the numbers of all buckets; null: none */
export function* withValues(
  pipeline: PipelineNode,
  { children }: AggregationNode,
  buckets: readonly FinishedBucket[],
  meter: StepMeter,
  valueAt: (numbers: readonly (number | null)[], at: number) => PipelineValue | null,
): Steps<readonly FinishedBucket[]> {
  const numbers: (number | null)[] = [];
  for (const bucket of buckets) {
    numbers.push(bucketValue(children, bucket, pipeline.path, pipeline.gapPolicy));
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  const finished: FinishedBucket[] = [];
  for (const [at, bucket] of buckets.entries()) {
    const value = valueAt(numbers, at);
    const values = value && new Map([...(bucket.values ?? []), [pipeline.name, value]]);
    finished.push(values === null ? bucket : { ...bucket, values });
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  return finished;
}

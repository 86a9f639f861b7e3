/**
 * Values that a sibling pipeline takes from the buckets of another aggregation.
 */
import type { StepMeter, Steps } from '@shoal/core';
import type { TakenValue } from '../contract/pipeline-kind.ts';
import { kindOf } from '../kinds/aggregation-kinds.ts';
import type { AggregationNode } from '../tree/aggregation-node.ts';
import type { FinishedBucket } from '../tree/finished-level.ts';
import type { BucketedPartial } from '../tree/partial-node.ts';
import type { PipelineNode } from '../tree/pipeline-node.ts';
import { bucketValue } from './bucket-value.ts';

/** Microseconds that a bucket costs, about: its value is looked up, and used some times. */
const BUCKET_UNITS = 0.7;

export function* takenValues(
  { path, gapPolicy }: PipelineNode,
  aggregation: AggregationNode,
  partial: BucketedPartial,
  meter: StepMeter,
): Steps<readonly TakenValue[]> {
  const kind = kindOf(aggregation);
  const inner = path.slice(1);
  const taken: TakenValue[] = [];
  for (const [position, bucket] of (partial.buckets as readonly FinishedBucket[]).entries()) {
    const value = bucketValue(aggregation.children, bucket, inner, gapPolicy);
    if (value !== null && !Number.isNaN(value)) {
      const keyText = (): string =>
        kind.family === 'bucket' ? kind.keyText(aggregation, partial, bucket, position) : '';
      taken.push({ value, keyText });
    }
    if (meter.isDue(BUCKET_UNITS)) yield;
  }
  return taken;
}

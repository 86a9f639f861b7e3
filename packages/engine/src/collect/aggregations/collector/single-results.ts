/**
 * Results of a collector that has one bucket in each of its parent's.
 */
import type { PartialResult } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import type { ChildBatch } from './bucket-collector.ts';
import type { BucketCounts } from './bucket-ids.ts';

export function* singleResults(
  counts: BucketCounts,
  children: ChildBatch,
  buckets: ArrayLike<number>,
  meter: StepMeter,
): Steps<PartialResult[]> {
  const results = yield* children.results(buckets, meter);
  const partials: PartialResult[] = [];
  for (let i = 0; i < buckets.length; i++) {
    const docCount = counts.at(buckets[i] as number);
    partials.push({ kind: 'filters', buckets: [{ key: 0, docCount, children: results[i] ?? [] }] });
    if (meter.isDue(0.2)) yield;
  }
  return partials;
}

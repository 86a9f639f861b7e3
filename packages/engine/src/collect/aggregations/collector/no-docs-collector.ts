/**
 * Stands for an aggregation with one bucket that has no place on this shard: no documents, and nothing in it.
 */
import type { PartialResult } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import type { BucketCollector } from './bucket-collector.ts';

export class NoDocsCollector implements BucketCollector {
  readonly memoryBytes = 0;

  enter(): void {}

  collect(): void {}

  leave(): null {
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      partials.push({ kind: 'filters', buckets: [] });
      if (meter.isDue(0.1)) yield;
    }
    return partials;
  }
}

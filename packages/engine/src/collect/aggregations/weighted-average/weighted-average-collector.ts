/**
 * `weighted_avg`: values of one field, each times the document's value of another.
 */
import type { PartialResult } from '@shoal/aggregations';
import { illegalArgument, type StepMeter, type Steps } from '@shoal/core';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { NumberBatch } from '../values/batch-values.ts';
import { missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';

export class WeightedAverageCollector implements BucketCollector {
  private readonly value: ResolvedSource;
  private readonly weight: ResolvedSource;
  private readonly values = new NumberBatch();
  private readonly weights = new NumberBatch();
  private readonly sums = new BucketCounts();
  private readonly totals = new BucketCounts();
  private valueColumn: NumericColumn | null = null;
  private weightColumn: NumericColumn | null = null;

  constructor(value: ResolvedSource, weight: ResolvedSource) {
    this.value = value;
    this.weight = weight;
  }

  get memoryBytes(): number {
    return this.sums.memoryBytes + this.totals.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.valueColumn = numbersOf(view, this.value);
    this.weightColumn = numbersOf(view, this.weight);
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    const { values, weights } = this;
    values.read(this.valueColumn, docs, missingNumber(this.value));
    weights.read(this.weightColumn, docs, missingNumber(this.weight));
    let w = 0;
    for (let k = 0; k < values.length; k++) {
      const at = values.positions[k] as number;
      while (w < weights.length && (weights.positions[w] as number) < at) w++;
      if (w === weights.length) break;
      if (weights.positions[w] !== at) continue;
      if (w + 1 < weights.length && weights.positions[w + 1] === at) {
        throw illegalArgument(
          'Encountered more than one weight for a single document. Use a script to combine multiple weights-per-doc into a single value.',
        );
      }
      const weight = weights.values[w] as number;
      const bucket = buckets[at] as number;
      this.sums.add(bucket, (values.values[k] as number) * weight);
      this.totals.add(bucket, weight);
    }
  }

  leave(): null {
    this.valueColumn = null;
    this.weightColumn = null;
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      const bucket = buckets[i] as number;
      partials.push({ kind: 'weightedAverage', sum: this.sums.at(bucket), weight: this.totals.at(bucket) });
      if (meter.isDue(0.1)) yield;
    }
    return partials;
  }
}

/**
 * Count, sum and extremes of counted values, by bucket: every value counts as often as it was met.
 */
import { KahanSum, type PartialResult } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import type { CountedNumbers } from '../../../field-types/contract/field-type.ts';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { BucketSketches } from '../collector/bucket-sketches.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { HistogramBatch, type HistogramSource } from '../values/histogram-batch.ts';

const BYTES = 100;

class CountedStats {
  readonly sizeBytes = BYTES;
  readonly sum = new KahanSum();
  count = 0;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;

  add({ values, counts }: CountedNumbers): void {
    for (let i = 0; i < values.length; i++) {
      const [value, count] = [values[i] as number, counts[i] as number];
      this.count += count;
      this.sum.add(value * count);
      this.min = Math.min(this.min, value);
      this.max = Math.max(this.max, value);
    }
  }
}

export class HistogramStatsCollector implements BucketCollector {
  readonly #batch: HistogramBatch;
  readonly #stats = new BucketSketches(() => new CountedStats());
  readonly #format: HistogramSource['source']['format'];

  constructor(histograms: HistogramSource) {
    this.#batch = new HistogramBatch(histograms);
    this.#format = histograms.source.format;
  }

  get memoryBytes(): number {
    return this.#stats.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.#batch.enter(view);
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    this.#batch.each(docs, (numbers, position) => this.#stats.of(buckets[position] as number).add(numbers));
  }

  leave(): null {
    this.#batch.leave();
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const format = this.#format;
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      const { count, sum, min, max } = this.#stats.at(buckets[i] as number);
      partials.push({ kind: 'stats', format, count, sum: sum.value, min, max, sumOfSquares: 0 });
      if (meter.isDue(0.1)) yield;
    }
    return partials;
  }
}

/**
 * `rate` on a shard: sums of values, or counts of values or documents. How long their intervals are is not known here.
 */
import { KahanSum, type PartialResult, type RateAggregation } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { BucketSketches } from '../collector/bucket-sketches.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { NumberBatch } from '../values/batch-values.ts';
import { missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';
import type { HistogramBatch } from '../values/histogram-batch.ts';

/** Memory of the sum of a bucket, about. */
const SUM_BYTES = 60;

class RateSum extends KahanSum {
  readonly sizeBytes = SUM_BYTES;
}

abstract class RateCollector implements BucketCollector {
  private readonly sums = new BucketSketches(() => new RateSum());

  abstract enter(view: SegmentView): void;
  abstract collect(docs: DocBatch, buckets: Uint32Array): void;
  abstract leave(): null;

  get memoryBytes(): number {
    return this.sums.memoryBytes;
  }

  protected add(bucket: number | undefined, value: number): void {
    this.sums.of(bucket ?? 0).add(value);
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      partials.push({ kind: 'rate', sum: this.sums.at(buckets[i] as number).value, units: 0 });
      if (meter.isDue(0.1)) yield;
    }
    return partials;
  }
}

/** Every document counts once, whatever it stands for. */
export class DocumentRateCollector extends RateCollector {
  enter(): void {}

  collect({ count }: DocBatch, buckets: Uint32Array): void {
    for (let i = 0; i < count; i++) this.add(buckets[i], 1);
  }

  leave(): null {
    return null;
  }
}

export class NumberRateCollector extends RateCollector {
  readonly #source: ResolvedSource;
  readonly #countsValues: boolean;
  readonly #batch = new NumberBatch();
  #column: NumericColumn | null = null;

  constructor(source: ResolvedSource, mode: RateAggregation['mode']) {
    super();
    this.#source = source;
    this.#countsValues = mode === 'value_count';
  }

  enter(view: SegmentView): void {
    this.#column = numbersOf(view, this.#source);
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    this.#batch.read(this.#column, docs, missingNumber(this.#source));
    const { positions, values, length } = this.#batch;
    for (let k = 0; k < length; k++) {
      this.add(buckets[positions[k] as number], this.#countsValues ? 1 : (values[k] as number));
    }
  }

  leave(): null {
    this.#column = null;
    return null;
  }
}

export class HistogramRateCollector extends RateCollector {
  readonly #batch: HistogramBatch;
  readonly #countsValues: boolean;

  constructor(batch: HistogramBatch, mode: RateAggregation['mode']) {
    super();
    this.#batch = batch;
    this.#countsValues = mode === 'value_count';
  }

  enter(view: SegmentView): void {
    this.#batch.enter(view);
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    this.#batch.each(docs, ({ values, counts }, position) => {
      for (let i = 0; i < values.length; i++) {
        this.add(buckets[position], (counts[i] as number) * (this.#countsValues ? 1 : (values[i] as number)));
      }
    });
  }

  leave(): null {
    this.#batch.leave();
    return null;
  }
}

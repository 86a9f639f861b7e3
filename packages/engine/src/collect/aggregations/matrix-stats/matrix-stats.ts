/**
 * Collector of `matrix_stats`: documents that have a value in every field are measured.
 */
import { JointMoments, type MatrixStatsAggregation, type PartialResult } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { BucketSketches } from '../collector/bucket-sketches.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { NumberBatch } from '../values/batch-values.ts';
import { missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';
import { numericSource } from '../values/numeric-source.ts';

export const matrixStats: CollectorKind<MatrixStatsAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile }, { sources, mode }) => {
    const resolved = sources.map((source) => numericSource(compile, source, 'matrix_stats'));
    // Fields that nothing is known of take no part.
    const fields = resolved.filter(({ field }) => compile.mapping.field(field) !== null);
    return new MatrixStatsCollector(fields, mode);
  },
};

class MatrixStatsCollector implements BucketCollector {
  readonly #fields: readonly MeasuredField[];
  readonly #names: readonly string[];
  readonly #moments: BucketSketches<JointMoments>;
  readonly #row: Float64Array;

  constructor(sources: readonly ResolvedSource[], mode: MatrixStatsAggregation['mode']) {
    this.#fields = sources.map((source) => new MeasuredField(source, mode));
    this.#names = sources.map(({ field }) => field);
    this.#moments = new BucketSketches(() => new JointMoments(sources.length));
    this.#row = new Float64Array(sources.length);
  }

  get memoryBytes(): number {
    return this.#moments.memoryBytes;
  }

  enter(view: SegmentView): void {
    for (const field of this.#fields) field.enter(view);
  }

  collect(batch: DocBatch, buckets: Uint32Array): void {
    if (this.#fields.length === 0) return;
    assert(batch.count <= buckets.length, `${batch.count} documents in ${buckets.length} buckets`);
    for (const field of this.#fields) field.read(batch);
    const row = this.#row;
    for (let i = 0; i < batch.count; i++) {
      let isWhole = true;
      for (let f = 0; f < row.length; f++) {
        const value = (this.#fields[f] as MeasuredField).take(i);
        row[f] = value;
        if (Number.isNaN(value)) isWhole = false;
      }
      if (isWhole) this.#moments.of(buckets[i] as number).add(row);
    }
  }

  leave(): null {
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      const moments = this.#moments.at(buckets[i] as number);
      partials.push({ kind: 'matrixStats', fields: this.#names, moments });
      if (meter.isDue(1)) yield;
    }
    return partials;
  }
}

/** One number a document. */
class MeasuredField {
  readonly #source: ResolvedSource;
  readonly #mode: MatrixStatsAggregation['mode'];
  readonly #batch = new NumberBatch();
  #column: NumericColumn | null = null;
  #at = 0;

  constructor(source: ResolvedSource, mode: MatrixStatsAggregation['mode']) {
    this.#source = source;
    this.#mode = mode;
  }

  enter(view: SegmentView): void {
    this.#column = numbersOf(view, this.#source);
  }

  read(batch: DocBatch): void {
    this.#batch.read(this.#column, batch, missingNumber(this.#source));
    this.#at = 0;
  }

  /** NaN where the document has no value. Documents are asked for in their order. */
  take(position: number): number {
    const { positions, values, length } = this.#batch;
    const from = this.#at;
    while (this.#at < length && positions[this.#at] === position) this.#at++;
    return from === this.#at ? Number.NaN : chosen(values.subarray(from, this.#at), this.#mode);
  }
}

/** @param values ascending, at least one */
function chosen(values: Float64Array, mode: MatrixStatsAggregation['mode']): number {
  assert(values.length > 0, 'a number of no values');
  const [first, last] = [values[0] as number, values[values.length - 1] as number];
  if (values.length === 1) return first;
  const sum = values.reduce((total, value) => total + value, 0);
  switch (mode) {
    case 'min':
      return first;
    case 'max':
      return last;
    case 'sum':
      return sum;
    case 'avg':
      return sum / values.length;
    case 'median': {
      const middle = values.length >> 1;
      const upper = values[middle] as number;
      return values.length % 2 === 1 ? upper : ((values[middle - 1] as number) + upper) / 2;
    }
  }
}

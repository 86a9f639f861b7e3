/**
 * `t_test`: count, sum and sum of squares of two populations, or of the differences between the values of each document.
 */
import { KahanSum, type PartialResult, type TTestAggregation } from '@shoal/aggregations';
import { ShoalError, type StepMeter, type Steps } from '@shoal/core';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { BucketSketches } from '../collector/bucket-sketches.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { FilterMatches } from '../filters/filter-matches.ts';
import { NumberBatch } from '../values/batch-values.ts';
import { missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';

type Moments = Extract<PartialResult, { kind: 'tTest' }>['a'];

/** Memory of the moments of a bucket, about. */
const MOMENTS_BYTES = 150;

class GrowingMoments {
  readonly sizeBytes = MOMENTS_BYTES;
  private count = 0;
  private readonly sum = new KahanSum();
  private readonly sumOfSquares = new KahanSum();

  add(value: number): void {
    this.count++;
    this.sum.add(value);
    this.sumOfSquares.add(value * value);
  }

  get moments(): Moments {
    return { count: this.count, sum: this.sum.value, sumOfSquares: this.sumOfSquares.value };
  }
}

/** Values of one of the populations. */
class PopulationValues {
  readonly batch = new NumberBatch();
  readonly moments = new BucketSketches(() => new GrowingMoments());
  private readonly source: ResolvedSource;
  private readonly filter: FilterMatches | null;
  private column: NumericColumn | null = null;

  constructor(source: ResolvedSource, filter: FilterMatches | null) {
    this.source = source;
    this.filter = filter;
  }

  enter(view: SegmentView): void {
    this.column = numbersOf(view, this.source);
    this.filter?.enter(view);
  }

  read(docs: DocBatch): void {
    this.batch.read(this.column, docs, missingNumber(this.source));
    if (docs.count > 0) this.filter?.mark(docs);
  }

  addAll(buckets: Uint32Array): void {
    const { positions, values, length } = this.batch;
    const marks = this.filter?.marks ?? null;
    for (let k = 0; k < length; k++) {
      const at = positions[k] as number;
      if (marks === null || marks[at] === 1) this.moments.of(buckets[at] as number).add(values[k] as number);
    }
  }

  leave(): void {
    this.column = null;
    this.filter?.leave();
  }
}

export interface TestedPopulation {
  readonly source: ResolvedSource;
  /** null: all documents are of the population. */
  readonly filter: FilterMatches | null;
}

export class TTestCollector implements BucketCollector {
  private readonly request: TTestAggregation;
  private readonly a: PopulationValues;
  private readonly b: PopulationValues;

  constructor(request: TTestAggregation, a: TestedPopulation, b: TestedPopulation) {
    this.request = request;
    this.a = new PopulationValues(a.source, a.filter);
    this.b = new PopulationValues(b.source, b.filter);
  }

  get memoryBytes(): number {
    return this.a.moments.memoryBytes + this.b.moments.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.a.enter(view);
    this.b.enter(view);
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    const { a, b } = this;
    a.read(docs);
    b.read(docs);
    if (this.request.testType === 'paired') this.addPairs(buckets);
    else {
      a.addAll(buckets);
      b.addAll(buckets);
    }
  }

  private addPairs(buckets: Uint32Array): void {
    const [a, b] = [this.a.batch, this.b.batch];
    let k = 0;
    for (let i = 0; i < a.length; i++) {
      const at = a.positions[i] as number;
      while (k < b.length && (b.positions[k] as number) < at) k++;
      if (k === b.length) return;
      if (b.positions[k] !== at) continue;
      if (hasSecond(a, i) || hasSecond(b, k)) throw severalValues();
      this.a.moments.of(buckets[at] as number).add((a.values[i] as number) - (b.values[k] as number));
    }
  }

  leave(): null {
    this.a.leave();
    this.b.leave();
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { testType, tails } = this.request;
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      const [a, b] = [this.a.moments.at(buckets[i] as number), this.b.moments.at(buckets[i] as number)];
      partials.push({ kind: 'tTest', testType, tails, a: a.moments, b: b.moments });
      if (meter.isDue(0.2)) yield;
    }
    return partials;
  }
}

/** True where the document of a value has another one behind it. */
function hasSecond({ positions, length, isWhole }: NumberBatch, at: number): boolean {
  return !isWhole && at + 1 < length && positions[at + 1] === positions[at];
}

function severalValues(): ShoalError {
  return new ShoalError(
    'aggregation_execution_exception',
    500,
    'Encountered more than one value for a single document. Use a script to combine multiple values per doc into a single value.',
  );
}

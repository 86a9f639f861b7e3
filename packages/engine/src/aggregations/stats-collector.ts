/**
 * Count, sum, extremes and sum of squares of a number field, by bucket; `value_count` of any field.
 */
import type { PartialResult, StatsAggregation } from '@shoal/aggregations';
import type { NumericColumn, OrdinalColumn, SegmentView } from '../segment/segment-reader.ts';
import type { BucketCollector } from './bucket-collector.ts';
import { BucketCounts } from './bucket-ids.ts';
import {
  missingNumber,
  NumberBatch,
  numbersOf,
  type ResolvedSource,
  readNumbers,
  readOrdinals,
} from './field-values.ts';

export class StatsCollector implements BucketCollector {
  private readonly source: ResolvedSource;
  private readonly missing: number;
  private readonly wantsSquares: boolean;
  private readonly batch = new NumberBatch();
  private column: NumericColumn | null = null;
  private readonly counts = new BucketCounts();
  private readonly sums = new BucketCounts();
  /** What adding to the sums rounded away. */
  private readonly lost = new BucketCounts();
  private readonly squares = new BucketCounts();
  private mins = new Float64Array(0);
  private maxs = new Float64Array(0);

  constructor(aggregation: StatsAggregation, source: ResolvedSource) {
    this.source = source;
    this.missing = missingNumber(source);
    this.wantsSquares = aggregation.type === 'extended_stats';
  }

  get memoryBytes(): number {
    return this.counts.memoryBytes * 4 + this.mins.byteLength * 2;
  }

  enter(view: SegmentView): void {
    this.column = numbersOf(view, this.source);
  }

  collect(docs: Uint32Array, buckets: Uint32Array, count: number): void {
    const { batch } = this;
    readNumbers(this.column, docs, count, this.missing, batch);
    if (batch.length === 0) return;
    let last = 0;
    for (let i = 0; i < count; i++) if ((buckets[i] as number) > last) last = buckets[i] as number;
    this.reserve(last + 1);
    const { positions, values, length } = batch;
    const { mins, maxs, wantsSquares } = this;
    const [counts, sums, lost, squares] = [this.counts.values, this.sums.values, this.lost.values, this.squares.values];
    for (let k = 0; k < length; k++) {
      const bucket = buckets[positions[k] as number] as number;
      const value = values[k] as number;
      counts[bucket] = (counts[bucket] as number) + 1;
      const corrected = value - (lost[bucket] as number);
      const sum = (sums[bucket] as number) + corrected;
      // Of infinities nothing is lost: the difference would be no number.
      lost[bucket] = Number.isFinite(sum) ? sum - (sums[bucket] as number) - corrected : 0;
      sums[bucket] = sum;
      if (value < (mins[bucket] as number)) mins[bucket] = value;
      if (value > (maxs[bucket] as number)) maxs[bucket] = value;
      if (wantsSquares) squares[bucket] = (squares[bucket] as number) + value * value;
    }
  }

  private reserve(size: number): void {
    this.counts.reserve(size);
    this.sums.reserve(size);
    this.lost.reserve(size);
    this.squares.reserve(size);
    if (size <= this.mins.length) return;
    const before = this.mins.length;
    const capacity = Math.max(size, before * 2, 16);
    const mins = new Float64Array(capacity).fill(Number.POSITIVE_INFINITY);
    const maxs = new Float64Array(capacity).fill(Number.NEGATIVE_INFINITY);
    mins.set(this.mins);
    maxs.set(this.maxs);
    this.mins = mins;
    this.maxs = maxs;
  }

  leave(): void {
    this.column = null;
  }

  results(buckets: ArrayLike<number>): PartialResult[] {
    return Array.from(
      buckets,
      (bucket): PartialResult => ({
        kind: 'stats',
        format: this.source.format,
        count: this.counts.at(bucket),
        sum: this.sums.at(bucket),
        min: this.mins[bucket] ?? Number.POSITIVE_INFINITY,
        max: this.maxs[bucket] ?? Number.NEGATIVE_INFINITY,
        sumOfSquares: this.squares.at(bucket),
      }),
    );
  }
}

/** `value_count` of a field of texts or addresses: how many values there are. */
export class TextCountCollector implements BucketCollector {
  private readonly source: ResolvedSource;
  private readonly batch = new NumberBatch();
  private readonly counts = new BucketCounts();
  private column: OrdinalColumn | null = null;

  constructor(source: ResolvedSource) {
    this.source = source;
  }

  get memoryBytes(): number {
    return this.counts.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.column = view.segment.ordinalColumn(this.source.field);
  }

  collect(docs: Uint32Array, buckets: Uint32Array, count: number): void {
    const { batch } = this;
    readOrdinals(this.column, docs, count, this.source.missing === null ? -1 : 0, batch);
    for (let k = 0; k < batch.length; k++) this.counts.add(buckets[batch.positions[k] as number] as number, 1);
  }

  leave(): void {
    this.column = null;
  }

  results(buckets: ArrayLike<number>): PartialResult[] {
    return Array.from(buckets, (bucket): PartialResult => {
      const count = this.counts.at(bucket);
      const { format } = this.source;
      return { kind: 'stats', format, count, sum: 0, min: 0, max: 0, sumOfSquares: 0 };
    });
  }
}

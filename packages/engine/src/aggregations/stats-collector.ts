/**
 * Count, sum, extremes and sum of squares of a number field, by bucket; `value_count` of any field.
 */
import type { PartialResult, StatsAggregation } from '@shoal/aggregations';
import { STRETCH_SIZE } from '../search/match-walk.ts';
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
  /** The parent is the request: it has one bucket. */
  private readonly isTop: boolean;
  private scratch: Float64Array = new Float64Array(0);
  private readonly batch = new NumberBatch();
  private column: NumericColumn | null = null;
  private readonly counts = new BucketCounts();
  private readonly sums = new BucketCounts();
  /** What adding to the sums rounded away. */
  private readonly lost = new BucketCounts();
  private readonly squares = new BucketCounts();
  private mins = new Float64Array(0);
  private maxs = new Float64Array(0);

  constructor(aggregation: StatsAggregation, source: ResolvedSource, isTop: boolean) {
    this.source = source;
    this.isTop = isTop;
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
    if (this.isTop) {
      this.addAll(batch.values, batch.length);
      return;
    }
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

  collectStretch(from: number, to: number): boolean {
    if (!this.isTop || this.column?.isDense !== true) return false;
    if (this.scratch.length === 0) this.scratch = new Float64Array(STRETCH_SIZE);
    this.addAll(this.column.stretch(from, to, this.scratch), to - from);
    return true;
  }

  /** Values that are all of bucket 0. */
  private addAll(values: Float64Array, length: number): void {
    this.reserve(1);
    let [sum, lost, square] = [this.sums.at(0), this.lost.at(0), this.squares.at(0)];
    let [min, max] = [this.mins[0] as number, this.maxs[0] as number];
    for (let k = 0; k < length; k++) {
      const value = values[k] as number;
      const corrected = value - lost;
      const next = sum + corrected;
      lost = next - sum - corrected;
      // Of infinities nothing is lost: the difference is no number.
      if (Number.isNaN(lost)) lost = 0;
      sum = next;
      if (value < min) min = value;
      if (value > max) max = value;
      square += value * value;
    }
    this.counts.add(0, length);
    [this.sums.values[0], this.lost.values[0], this.squares.values[0]] = [sum, lost, square];
    [this.mins[0], this.maxs[0]] = [min, max];
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

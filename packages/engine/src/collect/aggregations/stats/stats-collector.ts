/**
 * Count, sum, extremes and sum of squares of a number field, by bucket.
 */

import type { PartialResult, StatsAggregation, StatsType } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import { assert } from '@shoal/core';
import type { NumberCodes } from '../../../format/reader/number-codes.ts';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { AggregationKernels } from '../../../kernels/aggregation-kernels.ts';
import type { BucketCollector, BucketNumbers } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { CollectorState, StateSharing } from '../collector/state-sharing.ts';
import { NumberBatch } from '../values/batch-values.ts';
import { missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';
import { areLongs, areSumsExact } from './stats-sharing.ts';

/** What an aggregation shows of its values, and so what must be kept of them. */
interface StatsNeeds {
  readonly extremes: boolean;
  readonly sums: boolean;
  readonly squares: boolean;
}

function needsOf(type: StatsType): StatsNeeds {
  const isAll = type === 'stats' || type === 'extended_stats';
  return {
    extremes: isAll || type === 'min' || type === 'max',
    sums: isAll || type === 'sum' || type === 'avg',
    squares: type === 'extended_stats',
  };
}

/** Largest sum of a segment that needs no check for infinity; sums of other segments and shards are added to it. */
const SAFE_SUM_MAX = 1e250;

export class StatsCollector implements BucketCollector {
  private readonly source: ResolvedSource;
  private readonly missing: number;
  private readonly needs: StatsNeeds;
  /** The parent is the request: it has one bucket. */
  private readonly isTop: boolean;
  /** null: all is done here. */
  private readonly kernels: AggregationKernels | null;
  private readonly batch = new NumberBatch();
  private places: Uint32Array = new Uint32Array(0);
  private column: NumericColumn | null = null;
  /** All sums of this segment's values are whole numbers that a double holds. */
  private isExact = false;
  /** No sum of this segment's values comes near infinity. */
  private isSafe = false;
  private readonly counts = new BucketCounts();
  private readonly sums = new BucketCounts();
  /** What adding to the sums rounded away. */
  private readonly lost = new BucketCounts();
  private readonly squares = new BucketCounts();
  private mins = new Float64Array(0);
  private maxs = new Float64Array(0);

  constructor(
    aggregation: StatsAggregation,
    source: ResolvedSource,
    isTop: boolean,
    kernels: AggregationKernels | null,
  ) {
    this.kernels = kernels;
    this.source = source;
    this.isTop = isTop;
    this.missing = missingNumber(source);
    this.needs = needsOf(aggregation.type);
  }

  get memoryBytes(): number {
    return this.counts.memoryBytes * 4 + this.mins.byteLength * 2;
  }

  share(views: readonly SegmentView[]): StateSharing | null {
    const { source, needs } = this;
    if (source.scripted !== undefined) return null;
    const isOrderFree =
      !needs.squares && (!needs.sums || areSumsExact(views, source)) && (!needs.extremes || areLongs(views, source));
    return {
      isOrderFree,
      take: (meter) => this.take(meter),
      add: (state, buckets, meter) => this.add(state, buckets, meter),
    };
  }

  private *take(meter: StepMeter): Steps<CollectorState> {
    const { counts, sums, squares, mins, maxs } = this;
    if (meter.isDue(1)) yield;
    return { arrays: [counts.values, sums.values, squares.values, mins, maxs], children: [] };
  }

  private *add({ arrays }: CollectorState, buckets: ArrayLike<number>, meter: StepMeter): Steps<void> {
    const [counts, sums, squares, mins, maxs] = arrays;
    for (let i = 0; i < buckets.length; i++) {
      const count = counts?.[i] ?? 0;
      if (meter.isDue(0.05)) yield;
      if (count === 0) continue;
      const bucket = buckets[i] as number;
      this.reserve(bucket + 1);
      this.counts.add(bucket, count);
      this.squares.add(bucket, squares?.[i] ?? 0);
      addWithRest(this.sums.values, this.lost.values, bucket, sums?.[i] ?? 0);
      this.mins[bucket] = Math.min(this.mins[bucket] as number, mins?.[i] ?? Number.POSITIVE_INFINITY);
      this.maxs[bucket] = Math.max(this.maxs[bucket] as number, maxs?.[i] ?? Number.NEGATIVE_INFINITY);
    }
  }

  enter(view: SegmentView): void {
    assert(
      this.column === null,
      `[${this.source.field}] entered a segment of ${view.segment.docCount} documents before it left another`,
    );
    const column = numbersOf(view, this.source);
    this.column = column;
    const largest = column === null ? 0 : Math.max(Math.abs(column.min), Math.abs(column.max));
    this.isSafe = column?.isDense === true && largest * view.segment.docCount < SAFE_SUM_MAX;
    this.isExact =
      column?.kind === 'long' &&
      column.isDense &&
      !column.isWide &&
      largest * view.segment.docCount <= Number.MAX_SAFE_INTEGER;
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    const { batch, needs } = this;
    if (this.addCodes(docs, buckets)) return;
    batch.read(this.column, docs, this.missing);
    if (batch.length === 0) return;
    if (this.isTop) {
      this.addAll(batch, 0);
      return;
    }
    const places = this.placesOf(buckets);
    countEach(places, batch.length, this.counts.values);
    if (needs.sums) this.addSums(places);
    if (needs.extremes) this.addExtremes(places);
    if (needs.squares) addSquares(places, batch, this.squares.values);
  }

  collectAlike(docs: DocBatch, bucket: number): void {
    const { batch } = this;
    batch.read(this.column, docs, this.missing);
    if (batch.length > 0) this.addAll(batch, bucket);
  }

  takesNumbers(docs: DocBatch, { flat, size }: BucketNumbers): boolean {
    const { exactCodes, kernels } = this;
    return exactCodes !== null && kernels?.canSumByNumber(flat, size, exactCodes, docs) === true;
  }

  collectNumbered(docs: DocBatch, { flat, size, bucketOf }: BucketNumbers): void {
    const { kernels, exactCodes } = this;
    assert(kernels !== null && exactCodes !== null, `${docs.count} documents by numbers without kernels`);
    kernels.sumByNumber(flat, size, exactCodes, docs);
    const { numberCounts, numberSums } = kernels;
    for (let number = 0; number < size; number++) {
      const count = numberCounts[number] as number;
      const bucket = count === 0 ? -1 : bucketOf(number);
      if (bucket < 0) continue;
      this.reserve(bucket + 1);
      this.counts.add(bucket, count);
      this.sums.add(bucket, numberSums[number] as number);
    }
  }

  /** Codes whose sums are all that is asked for, and never rounded; null elsewhere. */
  private get exactCodes(): NumberCodes | null {
    const { column, needs, isExact } = this;
    const isSumAlone = needs.sums && !needs.extremes && !needs.squares;
    return isSumAlone && isExact ? (column?.codes ?? null) : null;
  }

  /** False: the kernels cannot. */
  private addCodes(docs: DocBatch, buckets: Uint32Array): boolean {
    const { kernels, column, needs, isExact } = this;
    const codes = column?.codes ?? null;
    if (kernels === null || codes === null || column?.isDense !== true || this.isTop) return false;
    if (!needs.sums || needs.extremes || needs.squares || !(isExact || this.isSafe)) return false;
    const known = { counts: this.counts.values, sums: this.sums.values, lost: this.lost.values };
    return kernels.addCodes(codes, docs, buckets, known, isExact);
  }

  /** The bucket of each value, with room for all of them. */
  private placesOf(buckets: Uint32Array): Uint32Array {
    const { positions, length, isWhole } = this.batch;
    let places = buckets;
    if (!isWhole) {
      if (this.places.length < length) this.places = new Uint32Array(length * 2);
      places = this.places;
      for (let k = 0; k < length; k++) places[k] = buckets[positions[k] as number] as number;
    }
    this.reserve(mostOf(places, length) + 1);
    return places;
  }

  private addSums(places: Uint32Array): void {
    const { values, length } = this.batch;
    const sums = this.sums.values;
    if (this.isExact) {
      for (let k = 0; k < length; k++) {
        const bucket = places[k] as number;
        sums[bucket] = (sums[bucket] as number) + (values[k] as number);
      }
      return;
    }
    const lost = this.lost.values;
    if (this.isSafe) {
      addCorrected(places, values, length, sums, lost);
      return;
    }
    for (let k = 0; k < length; k++) {
      addWithRest(sums, lost, places[k] as number, values[k] as number);
    }
  }

  private addExtremes(places: Uint32Array): void {
    const { mins, maxs } = this;
    const { values, length } = this.batch;
    for (let k = 0; k < length; k++) {
      const bucket = places[k] as number;
      const value = values[k] as number;
      if (value < (mins[bucket] as number)) mins[bucket] = value;
      if (value > (maxs[bucket] as number)) maxs[bucket] = value;
    }
  }

  /** Values that are all of one bucket. */
  private addAll({ values, length }: NumberBatch, bucket: number): void {
    const { needs } = this;
    this.reserve(bucket + 1);
    this.counts.add(bucket, length);
    if (needs.sums) this.addTotal(values, length, bucket);
    if (needs.extremes) {
      let [min, max] = [this.mins[bucket] as number, this.maxs[bucket] as number];
      for (let k = 0; k < length; k++) {
        const value = values[k] as number;
        if (value < min) min = value;
        if (value > max) max = value;
      }
      [this.mins[bucket], this.maxs[bucket]] = [min, max];
    }
    if (needs.squares) {
      let square = this.squares.at(bucket);
      for (let k = 0; k < length; k++) square += (values[k] as number) * (values[k] as number);
      this.squares.values[bucket] = square;
    }
  }

  private addTotal(values: Float64Array, length: number, bucket: number): void {
    let [sum, lost] = [this.sums.at(bucket), this.lost.at(bucket)];
    if (this.isExact) {
      for (let k = 0; k < length; k++) sum += values[k] as number;
    } else {
      for (let k = 0; k < length; k++) {
        const corrected = (values[k] as number) - lost;
        const next = sum + corrected;
        lost = next - sum - corrected;
        sum = next;
      }
      // Infinite sums have no rounding error: the difference is no number, and stays none.
      if (Number.isNaN(sum)) {
        [sum, lost] = [this.sums.at(bucket), 0];
        for (let k = 0; k < length; k++) sum += values[k] as number;
      }
    }
    [this.sums.values[bucket], this.lost.values[bucket]] = [sum, Number.isFinite(lost) ? lost : 0];
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

  leave(): null {
    this.column = null;
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { format } = this.source;
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      const bucket = buckets[i] as number;
      partials.push({
        kind: 'stats',
        format,
        count: this.counts.at(bucket),
        sum: this.sums.at(bucket),
        min: this.mins[bucket] ?? Number.POSITIVE_INFINITY,
        max: this.maxs[bucket] ?? Number.NEGATIVE_INFINITY,
        sumOfSquares: this.squares.at(bucket),
      });
      if (meter.isDue(0.1)) yield;
    }
    return partials;
  }
}

/** Adds a value that may be infinite to a sum with what adding rounded away. */
function addWithRest(sums: Float64Array, lost: Float64Array, bucket: number, value: number): void {
  const before = sums[bucket] as number;
  const corrected = value - (lost[bucket] as number);
  const sum = before + corrected;
  const rest = sum - before - corrected;
  // Infinite sums have no rounding error: the difference is no number.
  lost[bucket] = Number.isNaN(rest) ? 0 : rest;
  sums[bucket] = sum;
}

/** Sums with what adding rounded away (W. Kahan, 1965). */
function addCorrected(
  places: Uint32Array,
  values: Float64Array,
  length: number,
  sums: Float64Array,
  lost: Float64Array,
): void {
  for (let k = 0; k < length; k++) {
    const bucket = places[k] as number;
    const before = sums[bucket] as number;
    const corrected = (values[k] as number) - (lost[bucket] as number);
    const sum = before + corrected;
    lost[bucket] = sum - before - corrected;
    sums[bucket] = sum;
  }
}

function mostOf(places: Uint32Array, length: number): number {
  let most = 0;
  for (let k = 0; k < length; k++) {
    const place = places[k] as number;
    if (place > most) most = place;
  }
  return most;
}

function countEach(places: Uint32Array, length: number, counts: Float64Array): void {
  for (let k = 0; k < length; k++) {
    const bucket = places[k] as number;
    counts[bucket] = (counts[bucket] as number) + 1;
  }
}

function addSquares(places: Uint32Array, { values, length }: NumberBatch, squares: Float64Array): void {
  for (let k = 0; k < length; k++) {
    const bucket = places[k] as number;
    const value = values[k] as number;
    squares[bucket] = (squares[bucket] as number) + value * value;
  }
}

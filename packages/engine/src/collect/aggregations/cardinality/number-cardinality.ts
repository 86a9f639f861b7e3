/**
 * Distinct counts of numbers: one sketch a bucket.
 */

import {
  type CardinalityAggregation,
  HyperLogLog,
  type PartialResult,
  precisionOf,
  ValueHash,
} from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import { assert } from '@shoal/core';
import type { NumberCodes } from '../../../format/reader/number-codes.ts';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { AggregationKernels } from '../../../kernels/aggregation-kernels.ts';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import type { BucketCollector, ProfiledCollector } from '../collector/bucket-collector.ts';
import { BucketSketches } from '../collector/bucket-sketches.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { StateSharing } from '../collector/state-sharing.ts';
import { CodeBatch, NumberBatch } from '../values/batch-values.ts';
import { missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';
import { usableCodes } from '../values/key-numbers.ts';
import { WideBatch } from '../values/wide-batch.ts';
import { SegmentsCounted } from './segments-counted.ts';
import { sketchSharing } from './sketch-sharing.ts';

/** Where most values are distinct, to note them first is dearer than their hashes: documents for each code at least. */
const DOCS_PER_CODE = 4;

export class NumberCardinalityCollector implements BucketCollector {
  private readonly source: ResolvedSource;
  private readonly precision: number;
  /** null: all is done here. */
  private readonly kernels: AggregationKernels | null;
  private readonly missing: number;
  /** The parent is the request: it has one bucket. */
  private readonly isTop: boolean;
  private readonly batch = new NumberBatch();
  private readonly codeBatch = new CodeBatch();
  private readonly wideBatch = new WideBatch();
  private readonly one = new Float64Array(1);
  private readonly hash = new ValueHash();
  private readonly sketches: BucketSketches<HyperLogLog>;
  private readonly segments = new SegmentsCounted('numeric');
  private column: NumericColumn | null = null;
  /** At the top, where the segment has few codes: which of them were seen, to hash each once. */
  private codes: NumberCodes | null = null;
  private seen: Uint8Array = new Uint8Array(0);

  constructor(
    aggregation: CardinalityAggregation,
    source: ResolvedSource,
    isTop: boolean,
    kernels: AggregationKernels | null,
  ) {
    const precision = precisionOf(aggregation.precisionThreshold);
    this.precision = precision;
    this.kernels = kernels;
    this.source = source;
    this.sketches = new BucketSketches(() => new HyperLogLog(precision));
    this.missing = missingNumber(source);
    this.isTop = isTop;
  }

  get memoryBytes(): number {
    return this.sketches.memoryBytes + this.seen.byteLength;
  }

  get profiled(): ProfiledCollector {
    return this.segments.profiled;
  }

  share(): StateSharing | null {
    return this.source.scripted === undefined ? sketchSharing(this.sketches, this.precision) : null;
  }

  enter(view: SegmentView): void {
    assert(
      this.column === null,
      `[${this.source.field}] entered a segment of ${view.segment.docCount} documents before it left another`,
    );
    const { docCount } = view.segment;
    const column = numbersOf(view, this.source);
    const codes = this.isTop ? usableCodes({ column, missing: this.missing, docCount }) : null;
    this.column = column;
    this.segments.note(this.column);
    this.codes = codes !== null && codes.size <= docCount / DOCS_PER_CODE ? codes : null;
    this.seen = new Uint8Array(this.codes?.size ?? 0);
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    const { batch, column, codes } = this;
    if (column !== null && codes !== null) {
      const { codeBatch, seen } = this;
      codeBatch.readCodes(column, codes, docs);
      for (let k = 0; k < codeBatch.length; k++) seen[codeBatch.values[k] as number] = 1;
      return;
    }
    if (column?.isWide === true) {
      this.addWide(column, docs, buckets);
      return;
    }
    if (this.isTop && this.addCodes(docs)) return;
    batch.read(column, docs, this.missing);
    if (this.isTop) this.addAll(batch.values, batch.length);
    else this.addEach(buckets);
  }

  /** Adds codes of documents that are all in bucket 0; false: the kernels cannot. */
  private addCodes(docs: DocBatch): boolean {
    const { kernels, column, precision } = this;
    const codes = column?.codes ?? null;
    if (kernels === null || codes === null || column?.isDense !== true) return false;
    const sketch = this.sketches.of(0);
    if (!sketch.takesRanks || !kernels.rankCodes(codes, docs, precision)) return false;
    sketch.addRanks(kernels.ranks, 0, docs.count);
    return true;
  }

  /** Values that are all of bucket 0. */
  private addAll(values: Float64Array, count: number): void {
    const { kernels, precision } = this;
    const sketch = this.sketches.of(0);
    const isRanked = sketch.takesRanks && kernels?.rankDoubles(values, count, precision) === true;
    if (isRanked) sketch.addRanks(kernels.ranks, 0, count);
    else sketch.addDoubles(halvesOf(values), 0, count);
  }

  private addEach(buckets: Uint32Array): void {
    const { kernels, precision } = this;
    const { positions, values, length } = this.batch;
    const ranks = kernels?.rankDoubles(values, length, precision) === true ? kernels.ranks : null;
    const halves = halvesOf(values);
    for (let k = 0; k < length; k++) {
      const sketch = this.sketches.of(buckets[positions[k] as number] as number);
      if (ranks !== null && sketch.takesRanks) sketch.addRanks(ranks, k, k + 1);
      else sketch.addDoubles(halves, k, k + 1);
    }
  }

  /** Doubles do not tell longs beyond 2^53 apart: the bytes of such a long are hashed, any other value as elsewhere. */
  private addWide(column: NumericColumn, docs: DocBatch, buckets: Uint32Array): void {
    const { wideBatch, one, hash } = this;
    wideBatch.read(column, docs, this.source.missing);
    for (let k = 0; k < wideBatch.length; k++) {
      const value = wideBatch.values[k];
      const sketch = this.sketches.of(buckets[wideBatch.positions[k] as number] as number);
      if (typeof value === 'bigint') {
        hash.bytes(new Uint8Array(BigUint64Array.of(BigInt.asUintN(64, value)).buffer));
        sketch.add(hash.high, hash.low);
      } else {
        one[0] = Number(value);
        sketch.addDoubles(halvesOf(one), 0, 1);
      }
    }
  }

  *leave(meter: StepMeter): Steps<void> {
    if (this.codes !== null) yield* this.addSeen(this.codes, meter);
    this.codes = null;
    this.seen = new Uint8Array(0);
    this.column = null;
  }

  private *addSeen(codes: NumberCodes, meter: StepMeter): Steps<void> {
    assert(this.seen.length === codes.size, `${this.seen.length} of ${codes.size} codes are marked`);
    const { seen } = this;
    const found = new Float64Array(BATCH_SIZE);
    let count = 0;
    for (let code = 0; code < seen.length; code++) {
      // Without a branch that half of all values would take.
      found[count] = codes.value(code);
      count += seen[code] as number;
      if (count < BATCH_SIZE) continue;
      this.addAll(found, count);
      count = 0;
      // Codes that no document has are passed over as fast as they are counted.
      if (meter.isDue(100)) yield;
    }
    this.addAll(found, count);
  }

  results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    return cardinalities(this.sketches, buckets, meter);
  }
}

/** The same bytes as halves of the doubles. */
function halvesOf(values: Float64Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
}

/** One result for each bucket. */
export function* cardinalities(
  sketches: BucketSketches<HyperLogLog>,
  buckets: ArrayLike<number>,
  meter: StepMeter,
): Steps<PartialResult[]> {
  const partials: PartialResult[] = [];
  for (let i = 0; i < buckets.length; i++) {
    partials.push({ kind: 'cardinality', sketch: sketches.at(buckets[i] as number) });
    if (meter.isDue(0.5)) yield;
  }
  return partials;
}

/**
 * Distinct counts and quantiles: one sketch a bucket.
 */
import {
  type CardinalityAggregation,
  HdrSketch,
  HyperLogLog,
  type PartialResult,
  type PercentilesAggregation,
  precisionOf,
  TDigest,
  ValueHash,
} from '@shoal/aggregations';
import { STRETCH_SIZE } from '../search/match-walk.ts';
import { BATCH_SIZE } from '../search/scorer.ts';
import type { NumericColumn, OrdinalColumn, SegmentView } from '../segment/segment-reader.ts';
import type { BucketCollector } from './bucket-collector.ts';
import {
  missingBytes,
  missingNumber,
  NumberBatch,
  numbersOf,
  type ResolvedSource,
  readNumbers,
  readOrdinals,
} from './field-values.ts';
import { type KeyIndex, spanOf, wholeNumbers } from './key-index.ts';

export class NumberCardinalityCollector implements BucketCollector {
  private readonly source: ResolvedSource;
  private readonly precision: number;
  private readonly missing: number;
  /** The parent is the request: it has one bucket. */
  private readonly isTop: boolean;
  private readonly batch = new NumberBatch();
  private readonly sketches = new Map<number, HyperLogLog>();
  private column: NumericColumn | null = null;
  /** At the top, where the values of the segment are whole and lie close: which of them were seen, to hash each once. */
  private index: KeyIndex | null = null;
  private seen: Uint8Array = new Uint8Array(0);
  private numbers: Int32Array = new Int32Array(0);
  private scratch: Float64Array = new Float64Array(0);

  constructor(aggregation: CardinalityAggregation, source: ResolvedSource, isTop: boolean) {
    this.source = source;
    this.precision = precisionOf(aggregation.precisionThreshold);
    this.missing = missingNumber(source);
    this.isTop = isTop;
  }

  get memoryBytes(): number {
    return sketchBytes(this.sketches) + this.seen.byteLength;
  }

  enter(view: SegmentView): void {
    this.column = numbersOf(view, this.source);
    const isNumbered = this.isTop && this.column?.kind === 'long';
    const span = isNumbered ? spanOf(this.column, this.missing, view.segment.docCount) : null;
    const index = span && wholeNumbers(span);
    // Where most values are distinct, to note them first is dearer than their hashes.
    this.index = index !== null && index.size <= view.segment.docCount / 4 ? index : null;
    this.seen = new Uint8Array(this.index?.size ?? 0);
  }

  collectStretch(from: number, to: number): boolean {
    if (!this.isTop || this.column?.isDense !== true) return false;
    if (this.scratch.length === 0) this.scratch = new Float64Array(STRETCH_SIZE);
    this.addAll(this.column.stretch(from, to, this.scratch), to - from);
    return true;
  }

  collect(docs: Uint32Array, buckets: Uint32Array, count: number): void {
    const { batch } = this;
    readNumbers(this.column, docs, count, this.missing, batch);
    if (this.isTop) {
      this.addAll(batch.values, batch.length);
      return;
    }
    const halves = halvesOf(batch.values);
    let lastBucket = -1;
    let sketch: HyperLogLog | null = null;
    for (let k = 0; k < batch.length; k++) {
      const bucket = buckets[batch.positions[k] as number] as number;
      if (bucket !== lastBucket || sketch === null) sketch = sketchOf(this.sketches, bucket, this.precision);
      lastBucket = bucket;
      sketch.addDoubles(halves, k, k + 1);
    }
  }

  /** Values that are all of bucket 0. */
  private addAll(values: Float64Array, count: number): void {
    const { index, seen } = this;
    if (index === null) {
      sketchOf(this.sketches, 0, this.precision).addDoubles(halvesOf(values), 0, count);
      return;
    }
    if (this.numbers.length < count) this.numbers = new Int32Array(Math.max(count, BATCH_SIZE));
    const { numbers } = this;
    index.numbers(values, count, numbers);
    for (let i = 0; i < count; i++) seen[numbers[i] as number] = 1;
  }

  leave(): void {
    const { index, seen } = this;
    if (index !== null) {
      const found = new Float64Array(BATCH_SIZE);
      const halves = halvesOf(found);
      const sketch = sketchOf(this.sketches, 0, this.precision);
      let count = 0;
      for (let number = 0; number < seen.length; number++) {
        // Without a branch that half of all values would take.
        found[count] = index.key(number);
        count += seen[number] as number;
        if (count < BATCH_SIZE) continue;
        sketch.addDoubles(halves, 0, count);
        count = 0;
      }
      sketch.addDoubles(halves, 0, count);
    }
    this.index = null;
    this.seen = new Uint8Array(0);
    this.column = null;
  }

  results(buckets: ArrayLike<number>): PartialResult[] {
    return cardinalities(this.sketches, buckets, this.precision);
  }
}

/** The same bytes as halves of the doubles. */
function halvesOf(values: Float64Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, 2 * values.length);
}

/**
 * Texts and addresses: each ordinal of a segment is hashed once, however many documents have it: at the top when the segment
 * ends, else when it is first met.
 */
export class TextCardinalityCollector implements BucketCollector {
  private readonly source: ResolvedSource;
  private readonly precision: number;
  private readonly isTop: boolean;
  private readonly batch = new NumberBatch();
  private readonly sketches = new Map<number, HyperLogLog>();
  private readonly hash = new ValueHash();
  private column: OrdinalColumn | null = null;
  /** By ordinal: 1 when it was met. The last stands for the value that takes the place of none. */
  private seen: Uint8Array = new Uint8Array(0);
  /** Below other buckets: hashes by ordinal, two halves each, of those that were met. */
  private hashes = new Uint32Array(0);

  constructor(aggregation: CardinalityAggregation, source: ResolvedSource, isTop: boolean) {
    this.source = source;
    this.precision = precisionOf(aggregation.precisionThreshold);
    this.isTop = isTop;
  }

  get memoryBytes(): number {
    return sketchBytes(this.sketches) + this.seen.byteLength + this.hashes.byteLength;
  }

  enter(view: SegmentView): void {
    this.column = view.segment.ordinalColumn(this.source.field);
    const size = (this.column?.valueCount ?? 0) + 1;
    this.seen = new Uint8Array(size);
    this.hashes = new Uint32Array(this.isTop ? 0 : 2 * size);
  }

  collectStretch(from: number, to: number): boolean {
    const flat = this.column?.flat ?? null;
    if (!this.isTop || flat === null) return false;
    const { seen } = this;
    for (let doc = from; doc < to; doc++) seen[flat[doc] as number] = 1;
    return true;
  }

  collect(docs: Uint32Array, buckets: Uint32Array, count: number): void {
    const { batch, seen, hashes } = this;
    const missing = this.source.missing === null ? -1 : (this.column?.valueCount ?? 0);
    readOrdinals(this.column, docs, count, missing, batch);
    const { values, positions, length } = batch;
    if (this.isTop) {
      for (let k = 0; k < length; k++) seen[values[k] as number] = 1;
      return;
    }
    for (let k = 0; k < length; k++) {
      const ordinal = values[k] as number;
      if (seen[ordinal] === 0) {
        this.hashOrdinal(ordinal);
        seen[ordinal] = 1;
        hashes[2 * ordinal] = this.hash.high;
        hashes[2 * ordinal + 1] = this.hash.low;
      }
      const sketch = sketchOf(this.sketches, buckets[positions[k] as number] as number, this.precision);
      sketch.add(hashes[2 * ordinal] as number, hashes[2 * ordinal + 1] as number);
    }
  }

  private hashOrdinal(ordinal: number): void {
    const { column, hash } = this;
    if (column !== null && ordinal < column.valueCount) hash.bytes(column.value(ordinal));
    else hash.bytes(missingBytes(this.source));
  }

  leave(): void {
    const { seen, hash } = this;
    if (this.isTop) {
      const sketch = sketchOf(this.sketches, 0, this.precision);
      for (let ordinal = 0; ordinal < seen.length; ordinal++) {
        if (seen[ordinal] === 0) continue;
        this.hashOrdinal(ordinal);
        sketch.add(hash.high, hash.low);
      }
    }
    this.seen = new Uint8Array(0);
    this.hashes = new Uint32Array(0);
    this.column = null;
  }

  results(buckets: ArrayLike<number>): PartialResult[] {
    return cardinalities(this.sketches, buckets, this.precision);
  }
}

function sketchOf(sketches: Map<number, HyperLogLog>, bucket: number, precision: number): HyperLogLog {
  let sketch = sketches.get(bucket);
  if (sketch === undefined) sketches.set(bucket, (sketch = new HyperLogLog(precision)));
  return sketch;
}

function sketchBytes(sketches: ReadonlyMap<number, { readonly sizeBytes: number }>): number {
  let bytes = 0;
  for (const sketch of sketches.values()) bytes += sketch.sizeBytes;
  return bytes;
}

function cardinalities(
  sketches: ReadonlyMap<number, HyperLogLog>,
  buckets: ArrayLike<number>,
  precision: number,
): PartialResult[] {
  return Array.from(buckets, (bucket): PartialResult => {
    return { kind: 'cardinality', sketch: sketches.get(bucket) ?? new HyperLogLog(precision) };
  });
}

export class PercentilesCollector implements BucketCollector {
  private readonly aggregation: PercentilesAggregation;
  private readonly source: ResolvedSource;
  private readonly missing: number;
  private readonly isTop: boolean;
  private scratch: Float64Array = new Float64Array(0);
  private readonly batch = new NumberBatch();
  private readonly sketches = new Map<number, TDigest | HdrSketch>();
  private column: NumericColumn | null = null;

  constructor(aggregation: PercentilesAggregation, source: ResolvedSource, isTop: boolean) {
    this.isTop = isTop;
    this.aggregation = aggregation;
    this.source = source;
    this.missing = missingNumber(source);
  }

  get memoryBytes(): number {
    return sketchBytes(this.sketches);
  }

  enter(view: SegmentView): void {
    this.column = numbersOf(view, this.source);
  }

  collect(docs: Uint32Array, buckets: Uint32Array, count: number): void {
    const { batch } = this;
    readNumbers(this.column, docs, count, this.missing, batch);
    if (this.isTop) {
      this.addAll(batch.values.subarray(0, batch.length));
      return;
    }
    let lastBucket = -1;
    let sketch: TDigest | HdrSketch | null = null;
    for (let k = 0; k < batch.length; k++) {
      const bucket = buckets[batch.positions[k] as number] as number;
      if (bucket !== lastBucket || sketch === null) {
        sketch = this.sketchOf(bucket);
        lastBucket = bucket;
      }
      sketch.add(batch.values[k] as number);
    }
  }

  collectStretch(from: number, to: number): boolean {
    if (!this.isTop || this.column?.isDense !== true) return false;
    if (this.scratch.length === 0) this.scratch = new Float64Array(STRETCH_SIZE);
    this.addAll(this.column.stretch(from, to, this.scratch));
    return true;
  }

  private addAll(values: Float64Array): void {
    const sketch = this.sketchOf(0);
    if (sketch instanceof TDigest) sketch.addAll(values);
    else for (let i = 0; i < values.length; i++) sketch.add(values[i] as number);
  }

  private sketchOf(bucket: number): TDigest | HdrSketch {
    let sketch = this.sketches.get(bucket);
    if (sketch === undefined) this.sketches.set(bucket, (sketch = this.empty()));
    return sketch;
  }

  private empty(): TDigest | HdrSketch {
    const { method } = this.aggregation;
    return method.kind === 'hdr' ? new HdrSketch(method.digits) : new TDigest(method.compression);
  }

  leave(): void {
    this.column = null;
  }

  results(buckets: ArrayLike<number>): PartialResult[] {
    return Array.from(buckets, (bucket): PartialResult => {
      return { kind: 'percentiles', format: this.source.format, sketch: this.sketches.get(bucket) ?? this.empty() };
    });
  }
}

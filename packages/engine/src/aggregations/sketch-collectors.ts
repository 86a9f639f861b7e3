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
} from '@shoal/aggregations';
import type { NumericColumn, OrdinalColumn, SegmentView } from '../segment/segment-reader.ts';
import type { BucketCollector } from './bucket-collector.ts';
import {
  missingNumber,
  NumberBatch,
  numbersOf,
  type ResolvedSource,
  readNumbers,
  readOrdinals,
} from './field-values.ts';
import { ValueHash } from './value-hash.ts';

export class NumberCardinalityCollector implements BucketCollector {
  private readonly source: ResolvedSource;
  private readonly precision: number;
  private readonly missing: number;
  private readonly batch = new NumberBatch();
  private readonly sketches = new Map<number, HyperLogLog>();
  private column: NumericColumn | null = null;

  constructor(aggregation: CardinalityAggregation, source: ResolvedSource) {
    this.source = source;
    this.precision = precisionOf(aggregation.precisionThreshold);
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
    const hash = new ValueHash();
    for (let k = 0; k < batch.length; k++) {
      hash.number(batch.values[k] as number);
      sketchOf(this.sketches, buckets[batch.positions[k] as number] as number, this.precision).add(hash.high, hash.low);
    }
  }

  leave(): void {
    this.column = null;
  }

  results(buckets: ArrayLike<number>): PartialResult[] {
    return cardinalities(this.sketches, buckets, this.precision);
  }
}

/** Texts and addresses: each ordinal of a segment is hashed once, however many documents have it. */
export class TextCardinalityCollector implements BucketCollector {
  private readonly source: ResolvedSource;
  private readonly precision: number;
  private readonly batch = new NumberBatch();
  private readonly sketches = new Map<number, HyperLogLog>();
  private column: OrdinalColumn | null = null;
  /** Ordinals seen in this segment, a bit each, by bucket. The last bit stands for the value that takes the place of none. */
  private readonly seen = new Map<number, Uint32Array>();

  constructor(aggregation: CardinalityAggregation, source: ResolvedSource) {
    this.source = source;
    this.precision = precisionOf(aggregation.precisionThreshold);
  }

  get memoryBytes(): number {
    let bytes = sketchBytes(this.sketches);
    for (const bits of this.seen.values()) bytes += bits.byteLength;
    return bytes;
  }

  enter(view: SegmentView): void {
    this.column = view.segment.ordinalColumn(this.source.field);
  }

  collect(docs: Uint32Array, buckets: Uint32Array, count: number): void {
    const { batch, seen } = this;
    const valueCount = this.column?.valueCount ?? 0;
    readOrdinals(this.column, docs, count, this.source.missing === null ? -1 : valueCount, batch);
    let lastBucket = -1;
    let bits: Uint32Array | undefined;
    for (let k = 0; k < batch.length; k++) {
      const bucket = buckets[batch.positions[k] as number] as number;
      if (bucket !== lastBucket || bits === undefined) {
        bits = seen.get(bucket);
        if (bits === undefined) seen.set(bucket, (bits = new Uint32Array((valueCount >>> 5) + 1)));
        lastBucket = bucket;
      }
      const ordinal = batch.values[k] as number;
      bits[ordinal >>> 5] = (bits[ordinal >>> 5] as number) | (1 << (ordinal & 31));
    }
  }

  leave(): void {
    const { column } = this;
    const valueCount = column?.valueCount ?? 0;
    const hash = new ValueHash();
    for (const [bucket, bits] of this.seen) {
      const sketch = sketchOf(this.sketches, bucket, this.precision);
      for (let w = 0; w < bits.length; w++) {
        for (let word = bits[w] as number; word !== 0; word &= word - 1) {
          const ordinal = (w << 5) + 31 - Math.clz32(word & -word);
          if (ordinal === valueCount) hash.bytes(Buffer.from(String(this.source.missing)));
          else if (column !== null) hash.bytes(column.value(ordinal));
          sketch.add(hash.high, hash.low);
        }
      }
    }
    this.seen.clear();
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
  private readonly batch = new NumberBatch();
  private readonly sketches = new Map<number, TDigest | HdrSketch>();
  private column: NumericColumn | null = null;

  constructor(aggregation: PercentilesAggregation, source: ResolvedSource) {
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

/**
 * Distinct counts of texts and addresses: one sketch a bucket.
 */
import {
  type CardinalityAggregation,
  HyperLogLog,
  type PartialResult,
  precisionOf,
  ValueHash,
} from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import { termStart } from '../../../format/reader/term-prefixes.ts';
import type { BucketCollector, ProfiledCollector } from '../collector/bucket-collector.ts';
import { BucketSketches } from '../collector/bucket-sketches.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { StateSharing } from '../collector/state-sharing.ts';
import { CodeBatch } from '../values/batch-values.ts';
import { type ResolvedSource, termOfKey } from '../values/field-values.ts';
import { cardinalities } from './number-cardinality.ts';
import { SegmentsCounted } from './segments-counted.ts';
import { sketchSharing } from './sketch-sharing.ts';

/** Terms hashed between two looks at the meter. */
const TERMS_A_STEP = 1_024;
/** Terms of a dictionary for each that was seen, at most, for the dictionary to be read as a whole. */
const TERMS_PER_SEEN = 16;

/**
 * Texts and addresses: each ordinal of a segment is hashed once, however many documents have it: at the top when the segment
 * ends, else when it is first met.
 */
export class TextCardinalityCollector implements BucketCollector {
  private readonly source: ResolvedSource;
  private readonly precision: number;
  private readonly isTop: boolean;
  private readonly batch = new CodeBatch();
  private readonly sketches: BucketSketches<HyperLogLog>;
  private readonly hash = new ValueHash();
  private readonly segments = new SegmentsCounted('ordinals');
  private column: OrdinalColumn | null = null;
  /** By ordinal: 1 when it was met. The last stands for the value that takes the place of none. */
  private seen: Uint8Array = new Uint8Array(0);
  /** Below other buckets: hashes by ordinal, two halves each, of those that were met. */
  private hashes = new Uint32Array(0);

  constructor(aggregation: CardinalityAggregation, source: ResolvedSource, isTop: boolean) {
    const precision = precisionOf(aggregation.precisionThreshold);
    this.source = source;
    this.precision = precision;
    this.sketches = new BucketSketches(() => new HyperLogLog(precision));
    this.isTop = isTop;
  }

  get memoryBytes(): number {
    return this.sketches.memoryBytes + this.seen.byteLength + this.hashes.byteLength;
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
    this.column = view.segment.ordinalColumn(this.source.field);
    this.segments.note(this.column);
    const size = (this.column?.valueCount ?? 0) + 1;
    this.seen = new Uint8Array(size);
    this.hashes = new Uint32Array(this.isTop ? 0 : 2 * size);
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    const { batch, seen } = this;
    const missing = this.source.missing === null ? -1 : (this.column?.valueCount ?? 0);
    batch.readOrdinals(this.column, docs, missing);
    if (!this.isTop) this.addEach(buckets);
    else markSeen(batch.values, batch.length, seen);
  }

  private addEach(buckets: Uint32Array): void {
    const { seen, hashes } = this;
    const { values, positions, length } = this.batch;
    for (let k = 0; k < length; k++) {
      const ordinal = values[k] as number;
      if (seen[ordinal] === 0) {
        this.hashOrdinal(ordinal);
        seen[ordinal] = 1;
        hashes[2 * ordinal] = this.hash.high;
        hashes[2 * ordinal + 1] = this.hash.low;
      }
      const sketch = this.sketches.of(buckets[positions[k] as number] as number);
      sketch.add(hashes[2 * ordinal] as number, hashes[2 * ordinal + 1] as number);
    }
  }

  private hashOrdinal(ordinal: number): void {
    const { column, hash } = this;
    if (column !== null && ordinal < column.valueCount) hash.bytes(column.value(ordinal));
    else hash.bytes(termOfKey(this.source, this.source.missing ?? ''));
  }

  *leave(meter: StepMeter): Steps<void> {
    if (this.isTop) yield* this.addSeen(meter);
    this.seen = new Uint8Array(0);
    this.hashes = new Uint32Array(0);
    this.column = null;
  }

  private *addSeen(meter: StepMeter): Steps<void> {
    const { seen, hash, column } = this;
    const valueCount = seen.length - 1;
    const sketch = this.sketches.of(0);
    // The dictionary may be in a file: it is not read as a whole for few terms.
    const isWhole = countSeen(seen) * TERMS_PER_SEEN >= valueCount;
    for (let from = 0; from < valueCount; from += TERMS_A_STEP) {
      const to = Math.min(valueCount, from + TERMS_A_STEP);
      const terms = isWhole ? (column?.sorted() ?? null) : null;
      let found = 0;
      for (let ordinal = from; ordinal < to; ordinal++) {
        if (seen[ordinal] === 0) continue;
        found++;
        if (terms === null) this.hashOrdinal(ordinal);
        else hash.range(terms.termBytes, termStart(terms, ordinal), termStart(terms, ordinal + 1));
        sketch.add(hash.high, hash.low);
      }
      if (meter.isDue((to - from) * 0.005 + found * (isWhole ? 0.05 : 0.5))) yield;
    }
    if (seen[valueCount] === 0) return;
    this.hashOrdinal(valueCount);
    sketch.add(hash.high, hash.low);
  }

  results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    return cardinalities(this.sketches, buckets, meter);
  }
}

function markSeen(ordinals: Uint32Array, count: number, seen: Uint8Array): void {
  for (let k = 0; k < count; k++) seen[ordinals[k] as number] = 1;
}

function countSeen(seen: Uint8Array): number {
  let count = 0;
  for (let ordinal = 0; ordinal < seen.length; ordinal++) count += seen[ordinal] as number;
  return count;
}

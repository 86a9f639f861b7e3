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
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import type { BucketCollector, ProfiledCollector } from '../collector/bucket-collector.ts';
import { BucketSketches } from '../collector/bucket-sketches.ts';
import { DocBatch } from '../collector/doc-batch.ts';
import type { StateSharing } from '../collector/state-sharing.ts';
import { CodeBatch } from '../values/batch-values.ts';
import { type ResolvedSource, termOfKey } from '../values/field-values.ts';
import { cardinalities } from './number-cardinality.ts';
import { SegmentsCounted } from './segments-counted.ts';
import { sketchSharing } from './sketch-sharing.ts';
import { keepWholeSketch, wholeSketch } from './whole-sketches.ts';

/** Terms hashed between two looks at the meter. */
const TERMS_A_STEP = 1_024;
/** Terms of a dictionary for each that was seen, at most, for the dictionary to be read as a whole. */
const TERMS_PER_SEEN = 16;
/** Estimated cost of reading a document, in microseconds. */
const DOC_UNITS = 0.005;

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
  /** At the top: the sketch of all values of the column; null: not known, or not to be used. */
  private whole: HyperLogLog | null = null;
  /** Documents from the first of the segment on that came and were not read: when all have come, nobody needs to. */
  private deferred = 0;
  private docCount = 0;

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
    this.docCount = view.segment.docCount;
    this.deferred = 0;
    const { missing, scripted } = this.source;
    const takesWhole = this.isTop && missing === null && scripted === undefined;
    this.whole = takesWhole ? wholeSketch(this.column, this.precision) : null;
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    if (this.whole !== null && docs.from === this.deferred) {
      this.deferred += docs.count;
      return;
    }
    this.read(docs);
    if (!this.isTop) this.addEach(buckets);
    else markSeen(this.batch.values, this.batch.length, this.seen);
  }

  private read(docs: DocBatch): void {
    const missing = this.source.missing === null ? -1 : (this.column?.valueCount ?? 0);
    this.batch.readOrdinals(this.column, docs, missing);
  }

  /** Reads what was put off, where the rest of the segment did not come. */
  private *readDeferred(meter: StepMeter): Steps<void> {
    const docs = new DocBatch();
    for (let from = 0; from < this.deferred; from += BATCH_SIZE) {
      docs.setStretch(from, Math.min(this.deferred, from + BATCH_SIZE));
      this.read(docs);
      markSeen(this.batch.values, this.batch.length, this.seen);
      if (meter.isDue(docs.count * DOC_UNITS)) yield;
    }
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
    assert(this.deferred <= this.docCount, `${this.deferred} documents of ${this.docCount} were put off`);
    if (this.whole !== null && this.deferred === this.docCount) this.sketches.of(0).merge(this.whole);
    else if (this.isTop) {
      yield* this.readDeferred(meter);
      yield* this.addSeen(meter);
    }
    this.whole = null;
    this.seen = new Uint8Array(0);
    this.hashes = new Uint32Array(0);
    this.column = null;
  }

  private *addSeen(meter: StepMeter): Steps<void> {
    const { seen, column, precision } = this;
    const valueCount = seen.length - 1;
    const sketch = this.sketches.of(0);
    const hasMissing = seen[valueCount] === 1;
    const seenCount = countSeen(seen) - (hasMissing ? 1 : 0);
    if (column !== null && seenCount === valueCount && this.source.scripted === undefined) {
      let whole = wholeSketch(column, precision);
      if (whole === null) {
        whole = new HyperLogLog(precision);
        yield* this.hashSeen(whole, seenCount, meter);
        keepWholeSketch(column, whole);
      }
      sketch.merge(whole);
    } else yield* this.hashSeen(sketch, seenCount, meter);
    if (!hasMissing) return;
    this.hashOrdinal(valueCount);
    sketch.add(this.hash.high, this.hash.low);
  }

  /** Adds the values of the column that were seen. */
  private *hashSeen(sketch: HyperLogLog, seenCount: number, meter: StepMeter): Steps<void> {
    const { seen, hash, column } = this;
    const valueCount = seen.length - 1;
    // The dictionary may be in a file: it is not read as a whole for few terms.
    const isWhole = seenCount * TERMS_PER_SEEN >= valueCount;
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
      if (meter.isDue((to - from) * DOC_UNITS + found * (isWhole ? 0.05 : 0.5))) yield;
    }
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

/**
 * Quantiles: one sketch a bucket. At the top and where values are packed as codes, these are counted, or sorted where they span too much,
 * and the sketch gets each value once with its number.
 */

import { HdrSketch, type PartialResult, type PercentilesAggregation, TDigest } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import { assert } from '@shoal/core';
import type { CountedNumbers } from '../../../field-types/contract/field-type.ts';
import type { NumberCodes } from '../../../format/reader/number-codes.ts';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector } from '../collector/bucket-collector.ts';
import { BucketSketches } from '../collector/bucket-sketches.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { CodeBatch, NumberBatch } from '../values/batch-values.ts';
import { missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';
import type { HistogramBatch } from '../values/histogram-batch.ts';
import { usableCodes } from '../values/key-numbers.ts';
import { NumberTally } from '../values/number-tally.ts';
import { CodeRuns, type ValueRuns } from './code-runs.ts';

export class PercentilesCollector implements BucketCollector {
  private readonly source: ResolvedSource;
  private readonly missing: number;
  private readonly isTop: boolean;
  private readonly batch = new NumberBatch();
  private readonly codeBatch = new CodeBatch();
  private readonly sketches: BucketSketches<TDigest | HdrSketch>;
  /** Counted values in place of numbers; null: the field has numbers. */
  private readonly histograms: HistogramBatch | null;
  private column: NumericColumn | null = null;
  private codes: NumberCodes | null = null;
  /** By code, at the top. */
  private tally = new NumberTally(0);
  /** Codes of the segment that span too much to be counted, at the top; null: there are none. */
  private runs: CodeRuns | null = null;
  /** Those of the segments so far that the digest does not have yet. */
  private keptRuns: CodeRuns | null = null;
  /** Distinct values of the segments so far, ascending, each with its count. */
  private counted: ValueRuns[] = [];

  constructor(
    { method }: PercentilesAggregation,
    source: ResolvedSource,
    isTop: boolean,
    histograms: HistogramBatch | null = null,
  ) {
    this.histograms = histograms;
    this.isTop = isTop;
    this.source = source;
    this.missing = missingNumber(source);
    this.sketches = new BucketSketches<TDigest | HdrSketch>(() =>
      method.kind === 'hdr' ? new HdrSketch(method.digits) : new TDigest(method.compression),
    );
  }

  get memoryBytes(): number {
    let bytes = this.sketches.memoryBytes + this.tally.memoryBytes + (this.keptRuns?.memoryBytes ?? 0);
    for (const { values, counts } of this.counted) bytes += values.byteLength + counts.byteLength;
    return bytes;
  }

  enter(view: SegmentView): void {
    assert(
      this.column === null,
      `[${this.source.field}] entered a segment of ${view.segment.docCount} documents before it left another`,
    );
    this.histograms?.enter(view);
    const column = numbersOf(view, this.source);
    const from = { column, missing: this.missing, docCount: view.segment.docCount };
    this.column = column;
    this.codes = this.isTop ? usableCodes(from) : null;
    this.tally = new NumberTally(this.codes?.size ?? 0);
    this.runs = this.isTop && this.codes === null ? this.runsOf(column) : null;
  }

  /** null where values are read instead. */
  private runsOf(column: NumericColumn | null): CodeRuns | null {
    const codes = column?.isDense === true ? column.codes : null;
    // Another sketch takes values as they come as quickly.
    if (codes === null || !CodeRuns.takes(codes) || !(this.sketches.of(0) instanceof TDigest)) return null;
    if (this.keptRuns?.goOn(codes) !== true) {
      this.settleRuns();
      this.keptRuns = new CodeRuns(codes);
    }
    return this.keptRuns;
  }

  private settleRuns(): void {
    const { keptRuns } = this;
    if (keptRuns === null) return;
    this.addRuns(keptRuns.take());
    this.addRuns(keptRuns.takeCounted());
    this.keptRuns = null;
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    const { batch, column, codes, histograms, runs } = this;
    if (histograms !== null) {
      histograms.each(docs, (numbers, position) => this.addCounts(buckets[position] as number, numbers));
      return;
    }
    if (column !== null && codes !== null) {
      this.countCodes(column, codes, docs);
      return;
    }
    if (runs !== null) {
      if (!runs.hasRoom) this.addRuns(runs.take());
      runs.add(docs);
      return;
    }
    batch.read(column, docs, this.missing);
    if (this.isTop) this.addAll(batch.values.subarray(0, batch.length));
    else this.addEach(buckets);
  }

  private addCounts(bucket: number, { values, counts }: CountedNumbers): void {
    const sketch = this.sketches.of(bucket);
    if (sketch instanceof TDigest) sketch.addCounted(values, counts);
    else for (let i = 0; i < values.length; i++) sketch.add(values[i] as number, counts[i]);
  }

  private countCodes(column: NumericColumn, codes: NumberCodes, docs: DocBatch): void {
    const { codeBatch, tally } = this;
    if (column.isDense && codes.highs === null) {
      tally.addFlat(codes.lows, docs);
      return;
    }
    codeBatch.readCodes(column, codes, docs);
    tally.add(codeBatch);
  }

  private addRuns({ values, counts }: ValueRuns): void {
    const sketch = this.sketches.of(0);
    if (sketch instanceof TDigest) sketch.addCounted(values, counts);
  }

  private addAll(values: Float64Array): void {
    const sketch = this.sketches.of(0);
    if (sketch instanceof TDigest) sketch.addAll(values);
    else for (let i = 0; i < values.length; i++) sketch.add(values[i] as number);
  }

  private addEach(buckets: Uint32Array): void {
    const { positions, values, length } = this.batch;
    for (let k = 0; k < length; k++) {
      this.sketches.of(buckets[positions[k] as number] as number).add(values[k] as number);
    }
  }

  *leave(meter: StepMeter): Steps<void> {
    if (this.codes !== null) yield* this.addCounted(this.codes, meter);
    this.histograms?.leave();
    this.codes = null;
    this.runs = null;
    this.tally = new NumberTally(0);
    this.column = null;
  }

  private *addCounted(codes: NumberCodes, meter: StepMeter): Steps<void> {
    const counts = this.tally.finish();
    let distinct = 0;
    for (let code = 0; code < counts.length; code++) {
      if (counts[code] !== 0) distinct++;
      if (meter.isDue(0.002)) yield;
    }
    const values = new Float64Array(distinct);
    const found = new Uint32Array(distinct);
    for (let code = 0, at = 0; code < counts.length; code++) {
      if (meter.isDue(0.02)) yield;
      if (counts[code] === 0) continue;
      values[at] = codes.value(code);
      found[at++] = counts[code] as number;
    }
    if (distinct === 0) return;
    const [least, most] = [values[0] as number, values[distinct - 1] as number];
    assert(least <= most, `${distinct} values from ${least} to ${most} do not ascend`);
    const sketch = this.sketches.of(0);
    // A digest takes its time over many values: it gets them when results are made, in steps.
    if (sketch instanceof TDigest) this.counted.push({ values, counts: found });
    else {
      for (let i = 0; i < distinct; i++) {
        sketch.add(values[i] as number, found[i] as number);
        if (meter.isDue(0.1)) yield;
      }
    }
  }

  private *addToDigest(meter: StepMeter): Steps<void> {
    const sketch = this.sketches.of(0);
    for (const { values, counts } of this.counted) {
      if (sketch instanceof TDigest) yield* sketch.addCountedInSteps(values, counts, meter);
    }
    this.counted = [];
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    this.settleRuns();
    if (this.counted.length > 0) yield* this.addToDigest(meter);
    const partials: PartialResult[] = [];
    for (let i = 0; i < buckets.length; i++) {
      const sketch = this.sketches.at(buckets[i] as number);
      partials.push({ kind: 'percentiles', format: this.source.format, sketch });
      if (meter.isDue(0.5)) yield;
    }
    return partials;
  }
}

/**
 * `histogram` and `date_histogram`: values rounded down to the start of their interval.
 */
import type { KeySpan, PartialResult } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector, ChildBatch, ProfiledCollector } from '../collector/bucket-collector.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { StateSharing } from '../collector/state-sharing.ts';
import { KeyedBuckets } from '../keyed/keyed-buckets.ts';
import { keyedResults, sameNumber } from '../keyed/keyed-results.ts';
import { keyedSharing } from '../keyed/keyed-sharing.ts';
import { NumberBatch } from '../values/batch-values.ts';
import { DocCounts } from '../values/doc-counts.ts';
import { missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';
import { intervalNumbers } from '../values/interval-numbers.ts';
import { IntervalRounding, type ValueIntervals } from '../values/value-intervals.ts';

export interface HistogramOptions {
  /** What profiles call it. */
  readonly name: string;
  /** Keys of the buckets that are wanted. */
  readonly span: KeySpan;
  readonly intervals: ValueIntervals;
  readonly source: ResolvedSource;
  readonly children: ChildBatch;
  /** The parent is the request: it has one bucket. */
  readonly isTop: boolean;
}

export class HistogramCollector implements BucketCollector {
  private readonly options: HistogramOptions;
  private readonly rounding: IntervalRounding;
  private readonly missing: number;
  private readonly batch = new NumberBatch();
  private readonly buckets: KeyedBuckets;
  private column: NumericColumn | null = null;

  constructor(options: HistogramOptions) {
    const { source } = options;
    this.options = options;
    this.rounding = new IntervalRounding(options.intervals);
    this.missing = missingNumber(source);
    this.buckets = new KeyedBuckets(options.children);
  }

  get memoryBytes(): number {
    return this.buckets.memoryBytes;
  }

  get profiled(): ProfiledCollector {
    return { type: this.options.name, debug: { total_buckets: this.buckets.ids.count } };
  }

  share(views: readonly SegmentView[]): StateSharing | null {
    const { children, source } = this.options;
    const inner = source.scripted === undefined ? children.share(views) : null;
    return inner && keyedSharing(this.buckets, inner);
  }

  enter(view: SegmentView): void {
    assert(
      this.column === null,
      `[${this.options.source.field}] entered a segment of ${view.segment.docCount} documents before it left another`,
    );
    const { intervals, source, children, isTop, span } = this.options;
    const { missing } = this;
    const column = numbersOf(view, source);
    this.column = column;
    const isWithin = (value: number): boolean => Number.isFinite(value) && isInside(span, intervals.round(value));
    // A column made of another knows no bounds: its values are looked at one by one.
    const isColumnWithin = column !== null && isWithin(column.min) && isWithin(column.max);
    const areAllWithin = isColumnWithin && (Number.isNaN(missing) || isWithin(missing));
    const from = { column, missing, docCount: view.segment.docCount };
    this.buckets.enter(areAllWithin ? intervalNumbers(intervals, from) : null, isTop, DocCounts.of(view));
    children.enter(view);
  }

  collect(docs: DocBatch, parents: Uint32Array): void {
    const { batch, rounding, buckets } = this;
    const { least, most } = this.options.span;
    if (buckets.isNumbered) {
      buckets.collect(docs, parents);
      return;
    }
    batch.read(this.column, docs, this.missing);
    const { positions, values, length } = batch;
    const { docs: list } = docs;
    let lastAt = -1;
    let lastKey = Number.NaN;
    for (let k = 0; k < length; k++) {
      const value = values[k] as number;
      const key = rounding.round(value);
      if (key < least || key > most) continue;
      const at = positions[k] as number;
      // Several values of a document in one interval count once.
      if (at === lastAt && key === lastKey) continue;
      lastAt = at;
      lastKey = key;
      buckets.add(list[at] as number, parents[at] as number, key);
    }
  }

  collectAlike(docs: DocBatch, parent: number, parents: Uint32Array): void {
    if (this.buckets.isNumbered) this.buckets.collectAlike(docs, parent, parents);
    else this.collect(docs, parents);
  }

  *leave(meter: StepMeter): Steps<void> {
    yield* this.buckets.leave(meter);
    yield* this.options.children.leave(meter);
    this.column = null;
  }

  *results(parents: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { buckets, options } = this;
    const run = { buckets, children: options.children, isSorted: true, keyOf: sameNumber };
    const lists = yield* keyedResults(run, parents, meter);
    return lists.map((list) => ({ kind: 'histogram', format: options.source.format, buckets: list }));
  }
}

function isInside({ least, most }: KeySpan, key: number): boolean {
  return key >= least && key <= most;
}

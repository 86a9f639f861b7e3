/**
 * Histograms over columns whose terms are no numbers: which intervals a document is in is for each kind of them to say.
 */
import type { KeySpan, PartialResult } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector, ChildBatch, ProfiledCollector } from '../collector/bucket-collector.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { KeyedBuckets } from '../keyed/keyed-buckets.ts';
import { keyedResults, sameNumber } from '../keyed/keyed-results.ts';
import { DocCounts } from '../values/doc-counts.ts';
import type { ResolvedSource } from '../values/field-values.ts';
import type { ValueIntervals } from '../values/value-intervals.ts';

export interface ColumnHistogramOptions {
  /** What profiles call it. */
  readonly name: string;
  /** Values that are counted; others are cut off, or left out. */
  readonly span: KeySpan;
  readonly intervals: ValueIntervals;
  readonly source: ResolvedSource;
  readonly children: ChildBatch;
}

export abstract class ColumnHistogramCollector implements BucketCollector {
  protected readonly buckets: KeyedBuckets;
  private readonly shape: ColumnHistogramOptions;
  private column: OrdinalColumn | null = null;

  constructor(shape: ColumnHistogramOptions) {
    this.shape = shape;
    this.buckets = new KeyedBuckets(shape.children);
  }

  /** Adds a document to its intervals; its terms are those from `column.start(doc)` on. */
  protected abstract collectOne(column: OrdinalColumn, doc: number, parent: number): void;

  get memoryBytes(): number {
    return this.buckets.memoryBytes;
  }

  get profiled(): ProfiledCollector {
    return { type: this.shape.name, debug: { total_buckets: this.buckets.ids.count } };
  }

  enter(view: SegmentView): void {
    const { source, children } = this.shape;
    assert(
      this.column === null,
      `[${source.field}] entered a segment of ${view.segment.docCount} documents before it left another`,
    );
    this.column = view.segment.ordinalColumn(source.field);
    this.buckets.enter(null, false, DocCounts.of(view));
    children.enter(view);
  }

  collect({ docs, count }: DocBatch, parents: Uint32Array): void {
    const { column } = this;
    if (column === null) return;
    for (let i = 0; i < count; i++) this.collectOne(column, docs[i] as number, parents[i] as number);
  }

  *leave(meter: StepMeter): Steps<void> {
    yield* this.buckets.leave(meter);
    yield* this.shape.children.leave(meter);
    this.column = null;
  }

  *results(parents: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { buckets, shape } = this;
    const run = { buckets, children: shape.children, isSorted: true, keyOf: sameNumber };
    const lists = yield* keyedResults(run, parents, meter);
    return lists.map((list) => ({ kind: 'histogram', format: shape.source.format, buckets: list }));
  }
}

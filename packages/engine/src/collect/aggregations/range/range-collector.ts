/**
 * Counts documents by the ranges that their values are in.
 */
import type { PartialResult, RangeEnds } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { CountedNumbers } from '../../../field-types/contract/field-type.ts';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { fixedLists } from '../collector/fixed-buckets.ts';
import { fixedSharing } from '../collector/fixed-sharing.ts';
import type { StateSharing } from '../collector/state-sharing.ts';
import { NumberBatch } from '../values/batch-values.ts';
import { DocCounts } from '../values/doc-counts.ts';
import { missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';
import type { HistogramBatch } from '../values/histogram-batch.ts';

export class RangeCollector implements BucketCollector {
  private readonly source: ResolvedSource;
  private readonly ends: readonly RangeEnds[];
  private readonly children: ChildBatch;
  private readonly missing: number;
  /** The parent is the request: it has one bucket. */
  private readonly isTop: boolean;
  private readonly batch = new NumberBatch();
  private readonly counts = new BucketCounts();
  /** Last position of the batch that each range counted: several values of a document count once. */
  private readonly counted: Int32Array;
  /** Counted values in place of numbers; null: the field has numbers. */
  private readonly histograms: HistogramBatch | null;
  private column: NumericColumn | null = null;
  private docCounts: DocCounts | null = null;

  constructor(
    source: ResolvedSource,
    ends: readonly RangeEnds[],
    children: ChildBatch,
    isTop: boolean,
    histograms: HistogramBatch | null = null,
  ) {
    this.histograms = histograms;
    assert(ends.length > 0, `an aggregation of [${source.field}] without ranges`);
    this.source = source;
    this.ends = ends;
    this.children = children;
    this.isTop = isTop;
    this.missing = missingNumber(source);
    this.counted = new Int32Array(ends.length);
  }

  get memoryBytes(): number {
    return this.counts.memoryBytes + this.children.memoryBytes;
  }

  share(views: readonly SegmentView[]): StateSharing | null {
    const inner = this.source.scripted === undefined ? this.children.share(views) : null;
    return inner && fixedSharing(this.counts, this.ends.length, inner);
  }

  enter(view: SegmentView): void {
    assert(
      this.column === null,
      `[${this.source.field}] entered a segment of ${view.segment.docCount} documents before it left another`,
    );
    this.histograms?.enter(view);
    this.column = numbersOf(view, this.source);
    this.docCounts = DocCounts.of(view);
    this.children.enter(view);
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    const { batch, ends, children, histograms } = this;
    if (histograms !== null) {
      histograms.each(docs, (numbers, at) => this.addCounts(docs.docs[at] as number, buckets[at] as number, numbers));
      return;
    }
    batch.read(this.column, docs, this.missing);
    if (this.isTop && children.isEmpty && batch.isWhole && this.docCounts === null) {
      for (let r = 0; r < ends.length; r++) this.counts.add(r, countWithin(batch, ends[r] as RangeEnds));
    } else this.collectEach(docs, buckets);
  }

  /** A range counts each of its values as often as it was met; the document itself counts once for each. */
  private addCounts(doc: number, parent: number, { values, counts }: CountedNumbers): void {
    const { ends, docCounts } = this;
    const own = docCounts === null ? 1 : docCounts.at(doc);
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      for (const [r, { from, to }] of ends.entries()) {
        if (value >= from && value < to) this.counts.add(parent * ends.length + r, own + (counts[i] as number) - 1);
      }
    }
  }

  private collectEach({ docs }: DocBatch, buckets: Uint32Array): void {
    const { batch, ends, counted, children, docCounts } = this;
    const { positions, values, length } = batch;
    counted.fill(-1);
    for (let k = 0; k < length; k++) {
      const at = positions[k] as number;
      const value = values[k] as number;
      for (let r = 0; r < ends.length; r++) {
        const { from, to } = ends[r] as RangeEnds;
        if (value < from || value >= to || counted[r] === at) continue;
        counted[r] = at;
        const bucket = (buckets[at] as number) * ends.length + r;
        this.counts.add(bucket, docCounts === null ? 1 : docCounts.at(docs[at] as number));
        if (!children.isEmpty) children.push(docs[at] as number, bucket);
      }
    }
  }

  *leave(meter: StepMeter): Steps<void> {
    yield* this.children.leave(meter);
    this.histograms?.leave();
    this.column = null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { ends, source } = this;
    const lists = yield* fixedLists(buckets, ends.length, meter);
    const results = yield* this.children.resultsOf(lists, meter);
    const partials: PartialResult[] = [];
    for (const [p, ids] of lists.entries()) {
      const shown = ends.map((key, r) => ({
        key: { ...key, position: r },
        docCount: this.counts.at(ids[r] ?? 0),
        children: results[p]?.[r] ?? [],
      }));
      partials.push({ kind: 'range', format: source.format, buckets: shown });
      if (meter.isDue(0.2 * ends.length)) yield;
    }
    return partials;
  }
}

/** Values at least `from` and below `to`, counted without a branch. */
function countWithin({ values, length }: NumberBatch, { from, to }: RangeEnds): number {
  let count = 0;
  for (let k = 0; k < length; k++) {
    const value = values[k] as number;
    count += Number(value >= from) & Number(value < to);
  }
  return count;
}

/**
 * Counts the documents around nested ones, each once a bucket, and hands them on.
 */
import type { PartialResult } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import { NO_MORE_DOCS, type SegmentView } from '../../../format/reader/segment-reader.ts';
import { ParentDocs } from '../../../match/kinds/nested/nested-docs.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { singleResults } from '../collector/single-results.ts';
import { DocCounts } from '../values/doc-counts.ts';

export class OuterDocsCollector implements BucketCollector {
  /** Nested field whose documents are wanted; '' for those that are nested in nothing. */
  private readonly path: string;
  private readonly children: ChildBatch;
  private readonly counts = new BucketCounts();
  private outer: ParentDocs | null = null;
  private docCounts: DocCounts | null = null;
  /** By bucket: the last document that was counted in it. Documents are counted from 1 over all segments, so that 0 is none. */
  private readonly last = new BucketCounts();
  private base = 1;
  private docCount = 0;

  constructor(path: string, children: ChildBatch) {
    this.path = path;
    this.children = children;
  }

  get memoryBytes(): number {
    return this.counts.memoryBytes + this.last.memoryBytes + this.children.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.outer = view.nested ? new ParentDocs(view, this.path) : null;
    this.docCounts = DocCounts.of(view);
    this.docCount = view.segment.docCount;
    this.children.enter(view);
  }

  collect(batch: DocBatch, buckets: Uint32Array): void {
    const { outer, last, base, docCounts } = this;
    if (outer === null) return;
    const { docs, count } = batch;
    for (let i = 0; i < count; i++) {
      const doc = outer.from(docs[i] as number);
      if (doc === NO_MORE_DOCS) continue;
      const bucket = buckets[i] as number;
      const before = last.at(bucket);
      assert(before <= base + doc, `document ${doc} comes behind ${before - base}`);
      if (before === base + doc) continue;
      last.add(bucket, base + doc - before);
      this.counts.add(bucket, docCounts === null ? 1 : docCounts.at(doc));
      if (!this.children.isEmpty) this.children.push(doc, bucket);
    }
  }

  *leave(meter: StepMeter): Steps<void> {
    this.base += this.docCount;
    yield* this.children.leave(meter);
  }

  results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    return singleResults(this.counts, this.children, buckets, meter);
  }
}

/**
 * Counts the nested documents inside those of the parent, and hands them on.
 */
import type { PartialResult } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import { isLive } from '../../../format/flat-segment.ts';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { ParentDocs } from '../../../match/kinds/nested/nested-docs.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { singleResults } from '../collector/single-results.ts';

export class InnerDocsCollector implements BucketCollector {
  private readonly path: string;
  /** Path of the parent's documents; '' where they are nested in nothing. */
  private readonly around: string;
  private readonly children: ChildBatch;
  private readonly counts = new BucketCounts();
  private inner: ParentDocs | null = null;
  private outer: ParentDocs | null = null;
  private live: Uint8Array | null = null;
  /** A document and its buckets: more of them may come with the next batch. */
  private doc = -1;
  private buckets: number[] = [];

  constructor(path: string, around: string, children: ChildBatch) {
    this.path = path;
    this.around = around;
    this.children = children;
  }

  get memoryBytes(): number {
    return this.counts.memoryBytes + this.children.memoryBytes;
  }

  get owed(): Steps<void> | null {
    return this.children.owed;
  }

  enter(view: SegmentView): void {
    this.inner = view.nested ? new ParentDocs(view, this.path) : null;
    this.outer = view.nested ? new ParentDocs(view, this.around) : null;
    this.live = view.nested?.liveDocs ?? null;
    this.children.enter(view);
  }

  collect(batch: DocBatch, buckets: Uint32Array): void {
    if (this.inner === null) return;
    const { docs, count } = batch;
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      if (doc !== this.doc) this.handOn();
      this.doc = doc;
      this.buckets.push(buckets[i] as number);
    }
  }

  /** Each nested document once for every bucket of the document it is in, so that they ascend. */
  private handOn(): void {
    const { inner, outer, live, buckets, doc } = this;
    if (buckets.length === 0 || inner === null || outer === null) return;
    for (let at = inner.from(outer.before(doc) + 1); at < doc; at = inner.from(at + 1)) {
      if (live !== null && !isLive(live, at)) continue;
      for (const bucket of buckets) {
        this.counts.add(bucket, 1);
        if (!this.children.isEmpty) this.children.push(at, bucket);
      }
    }
    this.buckets = [];
  }

  *leave(meter: StepMeter): Steps<void> {
    this.handOn();
    this.doc = -1;
    yield* this.children.leave(meter);
  }

  results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    return singleResults(this.counts, this.children, buckets, meter);
  }
}

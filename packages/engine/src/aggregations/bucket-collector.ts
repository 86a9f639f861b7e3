/**
 * How aggregations collect: documents come in batches, each with the bucket of the parent that it falls in, and every
 * collector hands them on to its children with buckets of its own. Nothing is made per document.
 *
 * The root has one bucket, 0. Documents of a batch ascend; one that falls in several buckets stands there several times.
 */
import type { PartialResult } from '@shoal/aggregations';
import { BATCH_SIZE } from '../search/scorer.ts';
import type { SegmentView } from '../segment/segment-reader.ts';

export interface BucketCollector {
  /** Before the first batch of a segment. */
  enter(view: SegmentView): void;
  /** `docs` are of the segment that was entered; `buckets[i]` is where `docs[i]` falls in the parent. */
  collect(docs: Uint32Array, buckets: Uint32Array, count: number): void;
  /**
   * Takes the documents from..to - 1 of the segment, all in bucket 0, as a whole; false: it wants them in batches. Only asked of
   * collectors whose parent is the request.
   */
  collectStretch?(from: number, to: number): boolean;
  /** After the last batch of a segment. */
  leave(): void;
  /** One result for each of the given buckets of the parent. */
  results(buckets: ArrayLike<number>): PartialResult[];
  readonly memoryBytes: number;
}

/** What a collector hands on to its children, gathered into batches. */
export class ChildBatch {
  private readonly children: readonly BucketCollector[];
  private readonly docs = new Uint32Array(BATCH_SIZE);
  private readonly buckets = new Uint32Array(BATCH_SIZE);
  private count = 0;

  constructor(children: readonly BucketCollector[]) {
    this.children = children;
  }

  get isEmpty(): boolean {
    return this.children.length === 0;
  }

  get memoryBytes(): number {
    let bytes = 0;
    for (const child of this.children) bytes += child.memoryBytes;
    return bytes;
  }

  enter(view: SegmentView): void {
    for (const child of this.children) child.enter(view);
  }

  push(doc: number, bucket: number): void {
    this.docs[this.count] = doc;
    this.buckets[this.count++] = bucket;
    if (this.count === BATCH_SIZE) this.flush();
  }

  flush(): void {
    if (this.count === 0) return;
    for (const child of this.children) child.collect(this.docs, this.buckets, this.count);
    this.count = 0;
  }

  leave(): void {
    this.flush();
    for (const child of this.children) child.leave();
  }

  /** For lists of buckets their results, one a child: all at once, since each question is a walk over all buckets. */
  resultsOf(lists: readonly (readonly number[])[]): PartialResult[][][] {
    const all = this.results(lists.flat());
    let at = 0;
    return lists.map((list) => all.slice(at, (at += list.length)));
  }

  /** For each bucket its results, one a child. */
  results(buckets: ArrayLike<number>): PartialResult[][] {
    const perChild = this.children.map((child) => child.results(buckets));
    return Array.from({ length: buckets.length }, (_, i) => perChild.map((results) => results[i] as PartialResult));
  }
}

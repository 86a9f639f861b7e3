/**
 * How aggregations collect: documents come in batches, each with the bucket of the parent that it falls in, and every
 * collector hands them on to its children with buckets of its own. Nothing is made per document.
 *
 * The root has one bucket, 0. Documents of a batch ascend; one that falls in several buckets stands there several times.
 */
import type { PartialResult } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { HashSecret } from '../../../bytes/hash-secret.ts';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import { DocBatch } from './doc-batch.ts';
import { type SideBySide, type StateSharing, sharingOf } from './state-sharing.ts';

export interface BucketCollector {
  /** Before the first batch of a segment. */
  enter(view: SegmentView): void;
  /** Documents of the segment that was entered; `buckets[i]` is where document `i` falls in the parent. */
  collect(batch: DocBatch, buckets: Uint32Array): void;
  /** The same for documents that all fall in one bucket of the parent, which `buckets` has too, where that is done faster; left out: it is not. */
  collectAlike?(batch: DocBatch, bucket: number, buckets: Uint32Array): void;
  /** True where `collectNumbered` takes this batch. */
  takesNumbers?(batch: DocBatch, numbers: BucketNumbers): boolean;
  /** The same for documents whose buckets of the parent are told by numbers, where that is done faster. */
  collectNumbered?(batch: DocBatch, numbers: BucketNumbers): void;
  /** After the last batch of a segment: null where nothing is left to do that grows with the segment. */
  leave(meter: StepMeter): Steps<void> | null;
  /** One result for each of the given buckets of the parent. Asked once, at the end; buckets may be many. */
  results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]>;
  readonly memoryBytes: number;
  /** At the top and in nested documents: what is to be done before the next batch, in steps; null or left out: nothing. */
  readonly owed?: Steps<void> | null;
  /** How several threads collect for it, over the segments of `views`; null or left out: one thread must do all. */
  share?(views: readonly SegmentView[]): StateSharing | null;
  /** What a profile calls it, and how it worked; left out where its name says all. Read after the results. */
  readonly profiled?: ProfiledCollector;
}

/** Buckets by small numbers that the documents of a segment have. */
export interface BucketNumbers {
  /** Number of each document of the segment. */
  readonly flat: Uint8Array | Uint16Array | Uint32Array;
  /** Every number is below. */
  readonly size: number;
  /** Bucket of a number that some document has; negative: its documents are left out. */
  bucketOf(number: number): number;
}

export interface ProfiledCollector {
  readonly type: string;
  /** Details of `debug`; left out without. */
  readonly debug?: Readonly<Record<string, unknown>>;
}

/** What a collector hands on to its children. */
export class ChildBatch {
  /** Secret of the tables of buckets. */
  readonly hashSecret: HashSecret;
  private readonly children: readonly BucketCollector[];
  private readonly docs = new Uint32Array(BATCH_SIZE);
  private readonly buckets = new Uint32Array(BATCH_SIZE);
  private readonly batch = new DocBatch();
  private count = 0;

  constructor(children: readonly BucketCollector[], hashSecret: HashSecret) {
    this.hashSecret = hashSecret;
    this.children = children;
  }

  get isEmpty(): boolean {
    return this.children.length === 0;
  }

  /** What is to be done before the next batch. */
  get owed(): Steps<void> | null {
    for (const { owed } of this.children) if (owed) return owed;
    return null;
  }

  get memoryBytes(): number {
    let bytes = 0;
    for (const child of this.children) bytes += child.memoryBytes;
    return bytes;
  }

  /** Sharing of all children; null where one of them cannot be shared. */
  share(views: readonly SegmentView[]): SideBySide | null {
    return sharingOf(this.children, views);
  }

  enter(view: SegmentView): void {
    assert(this.count === 0, `${this.count} documents of the segment before were not handed on`);
    for (const child of this.children) child.enter(view);
  }

  /** All documents of a batch, each in one bucket. */
  pass(batch: DocBatch, buckets: Uint32Array): void {
    assert(batch.count <= buckets.length, `${batch.count} documents in ${buckets.length} buckets`);
    this.flush();
    for (const child of this.children) child.collect(batch, buckets);
  }

  /** All documents of a batch by numbers. False: a child cannot take them so, and none has. */
  passNumbered(batch: DocBatch, numbers: BucketNumbers): boolean {
    for (const child of this.children) if (child.takesNumbers?.(batch, numbers) !== true) return false;
    this.flush();
    for (const child of this.children) child.collectNumbered?.(batch, numbers);
    return true;
  }

  /** All documents of a batch in one bucket. */
  passAlike(batch: DocBatch, bucket: number): void {
    this.flush();
    // Nothing is gathered: the list of buckets is free.
    const { buckets } = this;
    buckets.fill(bucket, 0, batch.count);
    for (const child of this.children) {
      if (child.collectAlike === undefined) child.collect(batch, buckets);
      else child.collectAlike(batch, bucket, buckets);
    }
  }

  /** One document in one bucket; gathered into batches. */
  push(doc: number, bucket: number): void {
    this.docs[this.count] = doc;
    this.buckets[this.count++] = bucket;
    if (this.count === BATCH_SIZE) this.flush();
  }

  private flush(): void {
    if (this.count === 0) return;
    this.batch.setList(this.docs, this.count);
    this.count = 0;
    for (const child of this.children) child.collect(this.batch, this.buckets);
  }

  *leave(meter: StepMeter): Steps<void> {
    this.flush();
    for (const child of this.children) {
      const steps = child.leave(meter);
      if (steps !== null) yield* steps;
    }
  }

  /** For lists of buckets their results, one a child: all at once, since each question is a walk over all buckets. */
  *resultsOf(lists: readonly (readonly number[])[], meter: StepMeter): Steps<PartialResult[][][]> {
    const all = yield* this.results(lists.flat(), meter);
    let at = 0;
    return lists.map((list) => all.slice(at, (at += list.length)));
  }

  /** For each bucket its results, one a child. */
  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[][]> {
    const perChild: PartialResult[][] = [];
    for (const child of this.children) {
      const results = yield* child.results(buckets, meter);
      assert(results.length === buckets.length, `${results.length} results of a child for ${buckets.length} buckets`);
      perChild.push(results);
    }
    const perBucket: PartialResult[][] = [];
    for (let i = 0; i < buckets.length; i++) {
      perBucket.push(perChild.map((results) => results[i] as PartialResult));
      if (meter.isDue(0.1)) yield;
    }
    return perBucket;
  }
}

/**
 * Counts the documents that those of the parent bucket are joined with, each once a bucket, and hands them on.
 *
 * Which documents these are is known when all segments were seen: they are walked once more, at the end.
 */
import type { PartialResult } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import { isLive } from '../../../format/flat-segment.ts';
import { NO_MORE_DOCS, type OrdinalColumn, type SegmentView } from '../../../format/reader/segment-reader.ts';
import { DocBitset } from '../../../match/bits/doc-bitset.ts';
import { utf8Bytes } from '../../../match/context/compile-context.ts';
import { idAt } from '../../../match/kinds/join/joined-ids.ts';
import { docsOfTerms } from '../../../match/term-sets/multi-term-docs.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { singleResults } from '../collector/single-results.ts';
import { DocCounts } from '../values/doc-counts.ts';

export interface JoinedDocs {
  /** Path of the kinds of documents. */
  readonly kinds: string;
  /** Path of the ids by which they are joined. */
  readonly ids: string;
  /** Kind of the documents that are collected, and of those that are handed on. */
  readonly from: string;
  readonly to: string;
}

/** Bytes of an id with one bucket, about, and of one more bucket. */
const ID_BYTES = 200;
const BUCKET_BYTES = 40;
/** Microseconds that a document costs, about. */
const DOC_UNITS = 0.3;

export class JoinedDocsCollector implements BucketCollector {
  private readonly views: readonly SegmentView[];
  private readonly join: JoinedDocs | null;
  private readonly children: ChildBatch;
  private readonly counts = new BucketCounts();
  /** Buckets of each id. */
  private readonly buckets = new Map<string, Set<number>>();
  private bytes = 0;
  private column: OrdinalColumn | null = null;
  private members: DocBitset | null = null;

  /** @param join null: there are no such documents */
  constructor(views: readonly SegmentView[], join: JoinedDocs | null, children: ChildBatch) {
    this.views = views;
    this.join = join;
    this.children = children;
  }

  get memoryBytes(): number {
    return this.bytes + this.counts.memoryBytes + this.children.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.column = this.join && view.segment.ordinalColumn(this.join.ids);
    this.members = this.join && membersOf(view, this.join.kinds, this.join.from);
  }

  collect(batch: DocBatch, buckets: Uint32Array): void {
    const { column, members } = this;
    if (column === null || members === null) return;
    const { docs, count } = batch;
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const id = members.nextMember(doc) === doc ? idAt(column, doc) : null;
      if (id !== null) this.add(id, buckets[i] as number);
    }
  }

  private add(id: string, bucket: number): void {
    const known = this.buckets.get(id);
    if (known === undefined) {
      this.buckets.set(id, new Set([bucket]));
      this.bytes += ID_BYTES;
    } else if (!known.has(bucket)) {
      known.add(bucket);
      this.bytes += BUCKET_BYTES;
    }
  }

  leave(): null {
    return null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    if (this.join !== null && this.buckets.size > 0) {
      for (const view of this.views) yield* this.handOn(view, this.join, meter);
    }
    return yield* singleResults(this.counts, this.children, buckets, meter);
  }

  private *handOn(view: SegmentView, { kinds, ids, to }: JoinedDocs, meter: StepMeter): Steps<void> {
    const column = view.segment.ordinalColumn(ids);
    const docs = column === null ? null : docsOfTerms(view, kinds, [utf8Bytes(to)]);
    if (column === null || docs === null) return;
    const docCounts = DocCounts.of(view);
    this.children.enter(view);
    for (let doc = docs.next(); doc !== NO_MORE_DOCS; doc = docs.next()) {
      if (meter.isDue(DOC_UNITS)) yield;
      if (view.liveDocs !== null && !isLive(view.liveDocs, doc)) continue;
      const id = idAt(column, doc);
      const found = id === null ? undefined : this.buckets.get(id);
      if (found === undefined) continue;
      const count = docCounts === null ? 1 : docCounts.at(doc);
      for (const bucket of found) {
        this.counts.add(bucket, count);
        if (!this.children.isEmpty) this.children.push(doc, bucket);
      }
    }
    yield* this.children.leave(meter);
  }
}

function membersOf(view: SegmentView, field: string, kind: string): DocBitset {
  const members = new DocBitset(view.segment.docCount);
  const docs = docsOfTerms(view, field, [utf8Bytes(kind)]);
  if (docs !== null) members.addAll(docs);
  return members;
}

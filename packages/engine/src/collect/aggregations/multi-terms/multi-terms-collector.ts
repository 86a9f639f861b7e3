/**
 * `multi_terms`: counts every combination of the values of several sources in a document.
 */
import type { BucketKey, KeyTuple, MultiTermsAggregation, PartialResult } from '@shoal/aggregations';
import { TUPLE_KEYS } from '@shoal/aggregations';
import { ShoalError, type StepMeter, type Steps } from '@shoal/core';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { TupleIds } from '../keyed/tuple-ids.ts';
import { type CountedTerms, candidatesOf, type TermsCandidates, termsLists } from '../terms/terms-buckets.ts';
import { DocCounts } from '../values/doc-counts.ts';
import type { ResolvedSource } from '../values/field-values.ts';
import { KeyDoubles } from '../values/key-doubles.ts';

/** Most combinations of the values of one document. */
const COMBINATIONS_MAX = 1 << 20;

export class MultiTermsCollector implements BucketCollector {
  private readonly aggregation: MultiTermsAggregation;
  private readonly sources: readonly ResolvedSource[];
  private readonly parts: readonly KeyDoubles[];
  private readonly children: ChildBatch;
  private readonly ids: TupleIds;
  private readonly counts = new BucketCounts();
  private docCounts: DocCounts | null = null;
  /** Where the keys of the current document begin, and where they end, by source. */
  private readonly starts: number[];
  private readonly ends: number[];

  constructor(aggregation: MultiTermsAggregation, sources: readonly ResolvedSource[], children: ChildBatch) {
    this.aggregation = aggregation;
    this.sources = sources;
    this.parts = sources.map((source) => new KeyDoubles(source));
    this.children = children;
    this.ids = new TupleIds(sources.length, children.hashSecret);
    this.starts = sources.map(() => 0);
    this.ends = sources.map(() => 0);
  }

  get memoryBytes(): number {
    const ofParts = this.parts.reduce((sum, part) => sum + part.memoryBytes, 0);
    return ofParts + this.ids.memoryBytes + this.counts.memoryBytes + this.children.memoryBytes;
  }

  enter(view: SegmentView): void {
    for (const part of this.parts) part.enter(view);
    this.docCounts = DocCounts.of(view);
    this.children.enter(view);
  }

  collect(batch: DocBatch, buckets: Uint32Array): void {
    const { parts, ends } = this;
    for (const part of parts) part.read(batch);
    ends.fill(0);
    const { docs, count } = batch;
    for (let i = 0; i < count; i++) {
      if (this.toDocument(i) > 0) this.place(0, buckets[i] as number, docs[i] as number);
    }
  }

  /** Moves on to the keys of the document at a position; returns how many combinations they have. */
  private toDocument(position: number): number {
    const { parts, starts, ends } = this;
    let combinations = 1;
    for (let s = 0; s < parts.length; s++) {
      const part = parts[s] as KeyDoubles;
      const start = ends[s] as number;
      let end = start;
      while (end < part.length && part.position(end) === position) end++;
      starts[s] = start;
      ends[s] = end;
      combinations *= end - start;
    }
    if (combinations > COMBINATIONS_MAX) throw tooMany(combinations);
    return combinations;
  }

  /** Counts the combinations that begin with the parts before `level`; `id` stands for those. */
  private place(level: number, id: number, doc: number): void {
    const { parts, starts, ends, ids } = this;
    if (level === parts.length) {
      this.counts.add(id, this.docCounts === null ? 1 : this.docCounts.at(doc));
      if (!this.children.isEmpty) this.children.push(doc, id);
      return;
    }
    const part = parts[level] as KeyDoubles;
    const end = ends[level] as number;
    let last = Number.NaN;
    for (let at = starts[level] as number; at < end; at++) {
      const value = part.value(at);
      // Several equal values of a document are one.
      if (value === last) continue;
      last = value;
      this.place(level + 1, ids.next(level, id, value), doc);
    }
  }

  *leave(meter: StepMeter): Steps<void> {
    yield* this.children.leave(meter);
    for (const part of this.parts) part.leave();
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { aggregation, ids, counts, children, sources } = this;
    const parents: TermsCandidates<KeyTuple>[] = [];
    for (const list of yield* ids.byParent(buckets, meter)) {
      const terms: CountedTerms<KeyTuple> = {
        length: list.length,
        count: (at) => counts.at(list[at] as number),
        candidate: (at, docCount) => {
          const id = list[at] as number;
          return { id, key: this.keyOf(id), docCount };
        },
      };
      parents.push(yield* candidatesOf(aggregation, terms, meter));
    }
    const shapes = sources.map(({ keyKind, format }) => ({ keyKind, format }));
    const lists = yield* termsLists(aggregation, TUPLE_KEYS, parents, children, meter);
    return lists.map((list) => ({ kind: 'multiTerms', shapes, ...list }));
  }

  private keyOf(id: number): KeyTuple {
    const { parts } = this;
    return this.ids.tuple(id).map((double, at): BucketKey => (parts[at] as KeyDoubles).key(double));
  }
}

/** 429: the combinations of one document would hold up the shard. */
function tooMany(combinations: number): ShoalError {
  return new ShoalError(
    'circuit_breaking_exception',
    429,
    `[request] Data too large: the values of a document have [${combinations}] combinations, more than [${COMBINATIONS_MAX}]`,
    { metadata: { durability: 'TRANSIENT' } },
  );
}

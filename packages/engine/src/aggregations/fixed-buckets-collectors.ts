/**
 * Aggregations whose buckets are known before any document is seen: ranges of values, and filters.
 */
import type { FiltersAggregation, PartialResult, RangeEnds } from '@shoal/aggregations';
import type { Scorer, Weight } from '../search/scorer.ts';
import { NO_MORE_DOCS, type NumericColumn, type SegmentView } from '../segment/segment-reader.ts';
import type { BucketCollector, ChildBatch } from './bucket-collector.ts';
import { BucketCounts } from './bucket-ids.ts';
import { missingNumber, NumberBatch, numbersOf, type ResolvedSource, readNumbers } from './field-values.ts';

export class RangeCollector implements BucketCollector {
  private readonly source: ResolvedSource;
  private readonly ends: readonly RangeEnds[];
  private readonly children: ChildBatch;
  private readonly missing: number;
  private readonly batch = new NumberBatch();
  private readonly counts = new BucketCounts();
  /** Last position of the batch that each range counted: several values of a document count once. */
  private readonly counted: Int32Array;
  private column: NumericColumn | null = null;

  constructor(source: ResolvedSource, ends: readonly RangeEnds[], children: ChildBatch) {
    this.source = source;
    this.ends = ends;
    this.children = children;
    this.missing = missingNumber(source);
    this.counted = new Int32Array(ends.length);
  }

  get memoryBytes(): number {
    return this.counts.memoryBytes + this.children.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.column = numbersOf(view, this.source);
    this.children.enter(view);
  }

  collect(docs: Uint32Array, buckets: Uint32Array, count: number): void {
    const { batch, ends, counted } = this;
    readNumbers(this.column, docs, count, this.missing, batch);
    counted.fill(-1);
    for (let k = 0; k < batch.length; k++) {
      const at = batch.positions[k] as number;
      const value = batch.values[k] as number;
      for (let r = 0; r < ends.length; r++) {
        const { from, to } = ends[r] as RangeEnds;
        if (value < from || value >= to || counted[r] === at) continue;
        counted[r] = at;
        const bucket = (buckets[at] as number) * ends.length + r;
        this.counts.add(bucket, 1);
        if (!this.children.isEmpty) this.children.push(docs[at] as number, bucket);
      }
    }
  }

  leave(): void {
    this.children.leave();
    this.column = null;
  }

  results(buckets: ArrayLike<number>): PartialResult[] {
    const { ends, source } = this;
    const lists = Array.from(buckets, (parent) => ends.map((_, r) => parent * ends.length + r));
    const results = this.children.resultsOf(lists);
    return lists.map((ids, p): PartialResult => {
      const shown = ends.map((key, r) => ({
        key,
        docCount: this.counts.at(ids[r] ?? 0),
        children: results[p]?.[r] ?? [],
      }));
      return { kind: 'range', format: source.format, buckets: shown };
    });
  }
}

export class FiltersCollector implements BucketCollector {
  private readonly weights: readonly Weight[];
  private readonly hasOther: boolean;
  private readonly children: ChildBatch;
  private readonly counts = new BucketCounts();
  private scorers: readonly (Scorer | null)[] = [];

  constructor(aggregation: FiltersAggregation, weights: readonly Weight[], children: ChildBatch) {
    this.weights = weights;
    this.hasOther = aggregation.otherKey !== null;
    this.children = children;
  }

  private get width(): number {
    return this.weights.length + (this.hasOther ? 1 : 0);
  }

  get memoryBytes(): number {
    return this.counts.memoryBytes + this.children.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.scorers = this.weights.map((weight) => weight.scorer(view));
    this.children.enter(view);
  }

  collect(docs: Uint32Array, buckets: Uint32Array, count: number): void {
    const { scorers, width, children } = this;
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const base = (buckets[i] as number) * width;
      let isMatched = false;
      for (let f = 0; f < scorers.length; f++) {
        const scorer = scorers[f];
        if (!scorer || scorer.doc === NO_MORE_DOCS) continue;
        if (scorer.doc < doc) scorer.advance(doc);
        if (scorer.doc !== doc) continue;
        isMatched = true;
        this.counts.add(base + f, 1);
        if (!children.isEmpty) children.push(doc, base + f);
      }
      if (isMatched || !this.hasOther) continue;
      this.counts.add(base + width - 1, 1);
      if (!children.isEmpty) children.push(doc, base + width - 1);
    }
  }

  leave(): void {
    this.children.leave();
    this.scorers = [];
  }

  results(buckets: ArrayLike<number>): PartialResult[] {
    const { width } = this;
    const lists = Array.from(buckets, (parent) => Array.from({ length: width }, (_, f) => parent * width + f));
    const results = this.children.resultsOf(lists);
    return lists.map((ids, p): PartialResult => {
      const shown = ids.map((id, f) => ({ key: null, docCount: this.counts.at(id), children: results[p]?.[f] ?? [] }));
      return { kind: 'filters', buckets: shown };
    });
  }
}

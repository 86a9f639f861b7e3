/**
 * Counts documents by the filters that they match.
 */
import type { FiltersAggregation, PartialResult } from '@shoal/aggregations';
import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import type { Weight } from '../../../match/weight/weight.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { fixedLists } from '../collector/fixed-buckets.ts';
import { fixedSharing } from '../collector/fixed-sharing.ts';
import type { StateSharing } from '../collector/state-sharing.ts';
import { DocCounts } from '../values/doc-counts.ts';
import { FilterMatches } from './filter-matches.ts';

export class FiltersCollector implements BucketCollector {
  private readonly filters: readonly FilterMatches[];
  private readonly hasOther: boolean;
  private readonly children: ChildBatch;
  private readonly counts = new BucketCounts();
  private docCounts: DocCounts | null = null;

  constructor(aggregation: FiltersAggregation, weights: readonly Weight[], children: ChildBatch) {
    const { filters } = aggregation;
    assert(weights.length === filters.length, `${weights.length} weights of ${filters.length} filters`);
    this.filters = weights.map((weight) => new FilterMatches(weight));
    this.hasOther = aggregation.otherKey !== null;
    this.children = children;
  }

  private get width(): number {
    return this.filters.length + (this.hasOther ? 1 : 0);
  }

  get memoryBytes(): number {
    return this.counts.memoryBytes + this.children.memoryBytes;
  }

  share(views: readonly SegmentView[]): StateSharing | null {
    const inner = this.children.share(views);
    return inner && fixedSharing(this.counts, this.width, inner);
  }

  enter(view: SegmentView): void {
    for (const filter of this.filters) filter.enter(view);
    this.docCounts = DocCounts.of(view);
    this.children.enter(view);
  }

  collect(batch: DocBatch, buckets: Uint32Array): void {
    const { filters, width, children, hasOther, docCounts } = this;
    const { docs, count } = batch;
    for (const filter of filters) filter.mark(batch);
    for (let i = 0; i < count; i++) {
      const base = (buckets[i] as number) * width;
      const docCount = docCounts === null ? 1 : docCounts.at(docs[i] as number);
      let isMatched = false;
      for (let f = 0; f < filters.length; f++) {
        if ((filters[f] as FilterMatches).marks[i] === 0) continue;
        isMatched = true;
        this.counts.add(base + f, docCount);
        if (!children.isEmpty) children.push(docs[i] as number, base + f);
      }
      if (isMatched || !hasOther) continue;
      this.counts.add(base + width - 1, docCount);
      if (!children.isEmpty) children.push(docs[i] as number, base + width - 1);
    }
  }

  *leave(meter: StepMeter): Steps<void> {
    yield* this.children.leave(meter);
    for (const filter of this.filters) filter.leave();
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { width } = this;
    const lists = yield* fixedLists(buckets, width, meter);
    const results = yield* this.children.resultsOf(lists, meter);
    const partials: PartialResult[] = [];
    for (const [p, ids] of lists.entries()) {
      const shown = ids.map((id, key) => ({ key, docCount: this.counts.at(id), children: results[p]?.[key] ?? [] }));
      partials.push({ kind: 'filters', buckets: shown });
      if (meter.isDue(0.2 * width)) yield;
    }
    return partials;
  }
}

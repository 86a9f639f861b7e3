/**
 * `histogram` and `date_histogram`: values rounded down to the start of their interval.
 */
import {
  boundOf,
  type DateHistogramAggregation,
  DateRounding,
  type HistogramAggregation,
  type PartialResult,
} from '@shoal/aggregations';
import type { NumericColumn, SegmentView } from '../segment/segment-reader.ts';
import type { BucketCollector, ChildBatch } from './bucket-collector.ts';
import { missingNumber, NumberBatch, numbersOf, type ResolvedSource, readNumbers } from './field-values.ts';
import { intervalIndex, spanOf } from './key-index.ts';
import { KeyedBuckets } from './keyed-buckets.ts';

export interface HistogramOptions {
  readonly aggregation: HistogramAggregation | DateHistogramAggregation;
  readonly source: ResolvedSource;
  readonly children: ChildBatch;
  /** The parent is the request: it has one bucket. */
  readonly isTop: boolean;
}

/** Rounds values to keys; remembers the stretch of the last one, since neighbours tend to share it. */
export class IntervalRounding {
  private readonly roundOne: (value: number) => number;
  private readonly nextOne: ((key: number) => number) | null;
  private low = Number.POSITIVE_INFINITY;
  private high = Number.NEGATIVE_INFINITY;
  private key = 0;

  constructor(aggregation: Pick<HistogramAggregation | DateHistogramAggregation, 'kind' | 'interval'>, offset: number) {
    if (aggregation.kind === 'dateHistogram') {
      const rounding = new DateRounding((aggregation as DateHistogramAggregation).interval);
      this.roundOne = (value) => rounding.round(value);
      this.nextOne = rounding.fixedStepMs === null ? (key) => rounding.next(key) : null;
    } else {
      const interval = aggregation.interval as number;
      this.roundOne = (value) => Math.floor((value - offset) / interval) * interval + offset;
      this.nextOne = null;
    }
  }

  round(value: number): number {
    if (value >= this.low && value < this.high) return this.key;
    const key = this.roundOne(value);
    if (this.nextOne !== null) {
      this.low = key;
      this.high = this.nextOne(key);
      this.key = key;
    }
    return key;
  }
}

export class HistogramCollector implements BucketCollector {
  private readonly options: HistogramOptions;
  private readonly rounding: IntervalRounding;
  private readonly offset: number;
  private readonly missing: number;
  private readonly least: number;
  private readonly most: number;
  private readonly batch = new NumberBatch();
  private readonly buckets: KeyedBuckets;
  private column: NumericColumn | null = null;

  constructor(options: HistogramOptions) {
    const { aggregation, source } = options;
    this.options = options;
    this.offset = aggregation.kind === 'histogram' ? aggregation.offset : 0;
    this.rounding = new IntervalRounding(aggregation, this.offset);
    this.missing = missingNumber(source);
    this.buckets = new KeyedBuckets(options.children);
    const bounds = aggregation.hardBounds;
    this.least = (bounds && boundOf(bounds.min, source.format)) ?? Number.NEGATIVE_INFINITY;
    this.most = (bounds && boundOf(bounds.max, source.format)) ?? Number.POSITIVE_INFINITY;
  }

  get memoryBytes(): number {
    return this.buckets.memoryBytes;
  }

  enter(view: SegmentView): void {
    const { aggregation, source, children, isTop } = this.options;
    this.column = numbersOf(view, source);
    const span = isTop ? spanOf(this.column, this.missing, view.segment.docCount) : null;
    const isWithin = span !== null && span.least >= this.least && span.most <= this.most;
    this.buckets.enter(isWithin ? intervalIndex(aggregation, this.offset, span) : null);
    children.enter(view);
  }

  collectStretch(from: number, to: number): boolean {
    const { column, buckets } = this;
    if (column?.isDense !== true || !buckets.isNumbered) return false;
    buckets.addStretch(column, from, to);
    return true;
  }

  collect(docs: Uint32Array, parents: Uint32Array, count: number): void {
    const { batch, rounding, buckets, least, most } = this;
    readNumbers(this.column, docs, count, this.missing, batch);
    if (buckets.isNumbered) {
      buckets.addBatch(docs, batch);
      return;
    }
    const { positions, values, length } = batch;
    let lastAt = -1;
    let lastKey = Number.NaN;
    for (let k = 0; k < length; k++) {
      const value = values[k] as number;
      if (value < least || value > most) continue;
      const at = positions[k] as number;
      const key = rounding.round(value);
      // Several values of a document in one interval count once.
      if (at === lastAt && key === lastKey) continue;
      lastAt = at;
      lastKey = key;
      buckets.add(docs[at] as number, parents[at] as number, key);
    }
  }

  leave(): void {
    this.buckets.leave();
    this.options.children.leave();
    this.column = null;
  }

  results(parents: ArrayLike<number>): PartialResult[] {
    const { children, source } = this.options;
    this.buckets.settle();
    const { ids, counts } = this.buckets;
    const lists = ids.byParent(parents).map((list) => list.sort((a, b) => ids.keys.at(a) - ids.keys.at(b)));
    const results = children.resultsOf(lists);
    return lists.map((list, p): PartialResult => {
      const buckets = list.map((id, i) => {
        return { key: ids.keys.at(id), docCount: counts.at(id), children: results[p]?.[i] ?? [] };
      });
      return { kind: 'histogram', format: source.format, buckets };
    });
  }
}

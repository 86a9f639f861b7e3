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
import { BucketCounts, BucketIds } from './bucket-ids.ts';
import { missingNumber, NumberBatch, numbersOf, type ResolvedSource, readNumbers } from './field-values.ts';

export interface HistogramOptions {
  readonly aggregation: HistogramAggregation | DateHistogramAggregation;
  readonly source: ResolvedSource;
  readonly children: ChildBatch;
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
      this.nextOne = (key) => rounding.next(key);
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
  private readonly missing: number;
  private readonly least: number;
  private readonly most: number;
  private readonly batch = new NumberBatch();
  private readonly ids = new BucketIds();
  private readonly counts = new BucketCounts();
  private column: NumericColumn | null = null;

  constructor(options: HistogramOptions) {
    const { aggregation, source } = options;
    this.options = options;
    this.rounding = new IntervalRounding(aggregation, aggregation.kind === 'histogram' ? aggregation.offset : 0);
    this.missing = missingNumber(source);
    const bounds = aggregation.hardBounds;
    this.least = (bounds && boundOf(bounds.min, source.format)) ?? Number.NEGATIVE_INFINITY;
    this.most = (bounds && boundOf(bounds.max, source.format)) ?? Number.POSITIVE_INFINITY;
  }

  get memoryBytes(): number {
    return this.ids.memoryBytes + this.counts.memoryBytes + this.options.children.memoryBytes;
  }

  enter(view: SegmentView): void {
    this.column = numbersOf(view, this.options.source);
    this.options.children.enter(view);
  }

  collect(docs: Uint32Array, buckets: Uint32Array, count: number): void {
    const { batch, rounding, ids, counts, least, most } = this;
    const { children } = this.options;
    readNumbers(this.column, docs, count, this.missing, batch);
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
      const bucket = ids.idOf(buckets[at] as number, key);
      counts.add(bucket, 1);
      if (!children.isEmpty) children.push(docs[at] as number, bucket);
    }
  }

  leave(): void {
    this.options.children.leave();
    this.column = null;
  }

  results(buckets: ArrayLike<number>): PartialResult[] {
    const { children, source } = this.options;
    const { keys } = this.ids;
    return this.ids.byParent(buckets).map((ids): PartialResult => {
      ids.sort((a, b) => keys.at(a) - keys.at(b));
      const results = children.results(ids);
      const shown = ids.map((id, i) => ({
        key: keys.at(id),
        docCount: this.counts.at(id),
        children: results[i] ?? [],
      }));
      return { kind: 'histogram', format: source.format, buckets: shown };
    });
  }
}

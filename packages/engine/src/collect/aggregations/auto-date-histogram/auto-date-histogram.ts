/**
 * `auto_date_histogram` on a shard: buckets of the finest unit, of coarser ones once they are too many.
 *
 * What was counted by a finer unit stays so: the reduce brings all to one. That keeps the buckets few, and no results of
 * children must be merged here.
 */
import {
  AUTO_UNITS,
  type AutoDateAggregation,
  autoRounding,
  type DateRounding,
  mostBuckets,
  mostSpanMs,
  type PartialResult,
} from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import type { CollectorKind } from '../collector/collector-kind.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { KeyedBuckets } from '../keyed/keyed-buckets.ts';
import { keyedResults, sameNumber } from '../keyed/keyed-results.ts';
import { NumberBatch } from '../values/batch-values.ts';
import { DocCounts } from '../values/doc-counts.ts';
import { missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';
import { asDates, numericSource } from '../values/numeric-source.ts';

export const autoDate: CollectorKind<AutoDateAggregation> = {
  ignoresQuery: () => false,
  collector: ({ compile, isTop }, request, children) => {
    const source = numericSource(compile, asDates(compile, request.source), 'auto_date_histogram', request.timeZone);
    return new AutoDateCollector(request, source, children, isTop);
  },
};

/** How far the buckets of one parent are. */
interface Progress {
  level: number;
  /** Buckets of the level. */
  count: number;
  /** Keys of all buckets lie between these. */
  first: number;
  last: number;
}

const beginning = ({ least }: AutoDateAggregation): Progress => ({
  level: least,
  count: 0,
  first: Number.POSITIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
});

class AutoDateCollector implements BucketCollector {
  private readonly request: AutoDateAggregation;
  private readonly source: ResolvedSource;
  private readonly children: ChildBatch;
  private readonly isTop: boolean;
  private readonly missing: number;
  private readonly batch = new NumberBatch();
  private readonly buckets: KeyedBuckets;
  private readonly roundings: readonly DateRounding[];
  private readonly parents: Progress[] = [];
  private column: NumericColumn | null = null;

  constructor(request: AutoDateAggregation, source: ResolvedSource, children: ChildBatch, isTop: boolean) {
    this.request = request;
    this.source = source;
    this.children = children;
    this.isTop = isTop;
    this.missing = missingNumber(source);
    this.buckets = new KeyedBuckets(children);
    this.roundings = AUTO_UNITS.map((_, level) => autoRounding(level, request.timeZone));
  }

  get memoryBytes(): number {
    return this.buckets.memoryBytes + this.parents.length * 48;
  }

  enter(view: SegmentView): void {
    this.column = numbersOf(view, this.source);
    this.buckets.enter(null, this.isTop, DocCounts.of(view));
    this.children.enter(view);
  }

  collect(batch: DocBatch, parents: Uint32Array): void {
    this.batch.read(this.column, batch, this.missing);
    const { positions, values, length } = this.batch;
    const { docs } = batch;
    let lastAt = -1;
    let lastKey = Number.NaN;
    for (let k = 0; k < length; k++) {
      const at = positions[k] as number;
      const parent = parents[at] as number;
      const progress = (this.parents[parent] ??= beginning(this.request));
      const key = (this.roundings[progress.level] as DateRounding).round(values[k] as number);
      if (at === lastAt && key === lastKey) continue;
      lastAt = at;
      lastKey = key;
      const known = this.buckets.ids.count;
      this.buckets.add(docs[at] as number, parent, key);
      if (this.buckets.ids.count > known) this.advance(progress, key);
    }
  }

  /**
   * One more bucket. The unit follows the span of the dates as well: a document with several dates then counts once in each
   * interval of the unit that is shown, but for the very first ones.
   */
  private advance(progress: Progress, key: number): void {
    const { wanted } = this.request;
    progress.count++;
    progress.first = Math.min(progress.first, key);
    progress.last = Math.max(progress.last, key);
    while (progress.level < AUTO_UNITS.length - 1) {
      const isWide = progress.last - progress.first > mostSpanMs(progress.level, wanted);
      if (!isWide && progress.count <= mostBuckets(progress.level, wanted)) return;
      progress.level++;
      progress.count = 0;
    }
  }

  *leave(meter: StepMeter): Steps<void> {
    yield* this.buckets.leave(meter);
    yield* this.children.leave(meter);
    this.column = null;
  }

  *results(parents: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { buckets, children, source, request } = this;
    const lists = yield* keyedResults({ buckets, children, isSorted: false, keyOf: sameNumber }, parents, meter);
    return lists.map((list, p) => {
      const level = this.parents[parents[p] as number]?.level ?? request.least;
      return { kind: 'autoDate', format: source.format, level, multiple: 1, buckets: list };
    });
  }
}

/**
 * `histogram` and `date_histogram` over ranges: a document is in every interval that one of its ranges touches.
 */
import type { KeySpan, PartialResult } from '@shoal/aggregations';
import { assert, ShoalError, type StepMeter, type Steps } from '@shoal/core';
import type { RangeReader } from '../../../field-types/contract/field-type.ts';
import type { OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector, ChildBatch, ProfiledCollector } from '../collector/bucket-collector.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { KeyedBuckets } from '../keyed/keyed-buckets.ts';
import { keyedResults, sameNumber } from '../keyed/keyed-results.ts';
import { DocCounts } from '../values/doc-counts.ts';
import type { ResolvedSource } from '../values/field-values.ts';
import type { ValueIntervals } from '../values/value-intervals.ts';

/** Most intervals of all documents of a shard: an open range in narrow intervals touches billions. */
const INTERVALS_MAX = 1_000_000;

export interface RangeHistogramOptions {
  /** What profiles call it. */
  readonly name: string;
  /** Values that are counted; ranges are cut to them. */
  readonly span: KeySpan;
  readonly intervals: ValueIntervals;
  readonly source: ResolvedSource;
  readonly ranges: RangeReader;
  readonly children: ChildBatch;
}

export class RangeHistogramCollector implements BucketCollector {
  private readonly options: RangeHistogramOptions;
  private readonly buckets: KeyedBuckets;
  private column: OrdinalColumn | null = null;

  constructor(options: RangeHistogramOptions) {
    this.options = options;
    this.buckets = new KeyedBuckets(options.children);
  }

  get memoryBytes(): number {
    return this.buckets.memoryBytes;
  }

  get profiled(): ProfiledCollector {
    return { type: this.options.name, debug: { total_buckets: this.buckets.ids.count } };
  }

  enter(view: SegmentView): void {
    const { source, children } = this.options;
    assert(
      this.column === null,
      `[${source.field}] entered a segment of ${view.segment.docCount} documents before it left another`,
    );
    this.column = view.segment.ordinalColumn(source.field);
    this.buckets.enter(null, false, DocCounts.of(view));
    children.enter(view);
  }

  collect({ docs, count }: DocBatch, parents: Uint32Array): void {
    const { column } = this;
    if (column === null) return;
    for (let i = 0; i < count; i++) this.collectOne(column, docs[i] as number, parents[i] as number);
  }

  /** The ranges of a document ascend by their starts, so that an interval behind the last one was not counted yet. */
  private collectOne(column: OrdinalColumn, doc: number, parent: number): void {
    const { intervals, ranges, span } = this.options;
    let last = Number.NEGATIVE_INFINITY;
    for (let at = column.start(doc); at < column.start(doc + 1); at++) {
      const range = ranges.read(column.value(column.ordinal(at)));
      let key = intervals.round(Math.max(range.from, span.least));
      const end = intervals.round(Math.min(range.to, span.most));
      while (key <= end) {
        if (key > last) {
          this.checkRoom();
          this.buckets.add(doc, parent, key);
          last = key;
        }
        const next = nextKey(intervals, key);
        if (next <= key) throw tooMany();
        key = next;
      }
    }
  }

  private checkRoom(): void {
    if (this.buckets.ids.count >= INTERVALS_MAX) throw tooMany();
  }

  *leave(meter: StepMeter): Steps<void> {
    yield* this.buckets.leave(meter);
    yield* this.options.children.leave(meter);
    this.column = null;
  }

  *results(parents: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { buckets, options } = this;
    const run = { buckets, children: options.children, isSorted: true, keyOf: sameNumber };
    const lists = yield* keyedResults(run, parents, meter);
    return lists.map((list) => ({ kind: 'histogram', format: options.source.format, buckets: list }));
  }
}

/** Start of the interval behind the one that starts at `key`. */
function nextKey(intervals: ValueIntervals, key: number): number {
  return intervals.kind === 'calendar' ? intervals.next(key) : intervals.round(key + intervals.step);
}

/** 429: what the intervals of an open range take would be more than any request may. */
function tooMany(): ShoalError {
  return new ShoalError(
    'circuit_breaking_exception',
    429,
    `[request] Data too large: ranges touch more than [${INTERVALS_MAX}] intervals of a histogram; [hard_bounds] cut them`,
    { metadata: { durability: 'TRANSIENT' } },
  );
}

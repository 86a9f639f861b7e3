/**
 * `terms` over numbers, dates or booleans, and over texts that a script makes, which it numbers.
 */

import type { BucketKey, PartialResult, TermsAggregation } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import { assert } from '@shoal/core';
import type { NumericColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector, ChildBatch, ProfiledCollector } from '../collector/bucket-collector.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { StateSharing } from '../collector/state-sharing.ts';
import { KeyedBuckets, type NumberedCounts } from '../keyed/keyed-buckets.ts';
import { keyedSharing } from '../keyed/keyed-sharing.ts';
import { NumberBatch } from '../values/batch-values.ts';
import { DocCounts } from '../values/doc-counts.ts';
import { missingNumber, numbersOf, type ResolvedSource } from '../values/field-values.ts';
import { valueNumbers } from '../values/key-numbers.ts';
import { WideKeys } from '../values/wide-keys.ts';
import { deferredNames } from './deferred-children.ts';
import {
  type CountedTerms,
  candidatesOf,
  checkEmptyBuckets,
  likelyCandidates,
  type TermsCandidates,
  termsResults,
  wantsEmptyTerms,
} from './terms-buckets.ts';
import type { NumberChoice } from './terms-choice.ts';

export interface NumberTermsOptions {
  readonly aggregation: TermsAggregation;
  readonly source: ResolvedSource;
  readonly views: readonly SegmentView[];
  readonly children: ChildBatch;
  /** null: every number. */
  readonly choice: NumberChoice | null;
  /** The parent is the request: it has one bucket. */
  readonly isTop: boolean;
}

export class NumberTermsCollector implements BucketCollector {
  private readonly options: NumberTermsOptions;
  private readonly missing: number;
  private readonly batch = new NumberBatch();
  private readonly buckets: KeyedBuckets;
  private column: NumericColumn | null = null;
  private readonly wide = new WideKeys();

  constructor(options: NumberTermsOptions) {
    this.options = options;
    this.missing = missingNumber(options.source);
    this.buckets = new KeyedBuckets(options.children);
  }

  get memoryBytes(): number {
    return this.buckets.memoryBytes + this.wide.memoryBytes + (this.options.source.texts?.memoryBytes ?? 0);
  }

  /** Equal values of a document are one occurrence, but to rare terms, which take numbers as they come. */
  private get countsRepeats(): boolean {
    return this.options.aggregation.maxDocCount !== null;
  }

  get profiled(): ProfiledCollector {
    const { aggregation, source } = this.options;
    if (aggregation.maxDocCount !== null) return { type: 'LongRareTermsAggregator' };
    const deferred = deferredNames(aggregation, Number.POSITIVE_INFINITY);
    if (source.texts !== undefined) {
      const debug = { ...deferred, result_strategy: 'terms', total_buckets: this.buckets.ids.count };
      return { type: 'MapStringTermsAggregator', debug };
    }
    const strategy = source.keyKind === 'double' ? 'double_terms' : 'long_terms';
    const { ids, only } = this.buckets;
    const count = only === null ? ids.count : only.counts.reduce((used, n) => (n > 0 ? used + 1 : used), 0);
    return {
      type: 'NumericTermsAggregator',
      debug: { ...deferred, result_strategy: strategy, total_buckets: count },
    };
  }

  /** Keys must be the values themselves: those beyond doubles are numbered by each thread for itself. */
  share(views: readonly SegmentView[]): StateSharing | null {
    const { source, children } = this.options;
    if (source.scripted !== undefined || views.some((view) => numbersOf(view, source)?.isWide === true)) return null;
    const inner = children.share(views);
    return inner && keyedSharing(this.buckets, inner);
  }

  enter(view: SegmentView): void {
    assert(
      this.column === null,
      `[${this.options.source.field}] entered a segment of ${view.segment.docCount} documents before it left another`,
    );
    const { source, children, choice, isTop } = this.options;
    const column = numbersOf(view, source);
    this.column = column;
    const from = { column, missing: this.missing, docCount: view.segment.docCount };
    const isNumbered =
      choice === null && !this.countsRepeats && column?.isWide === false && !wantsEmptyTerms(this.options.aggregation);
    const numbers = isNumbered ? valueNumbers(from) : null;
    this.buckets.enter(numbers, isTop, DocCounts.of(view));
    children.enter(view);
  }

  collect(docs: DocBatch, buckets: Uint32Array): void {
    const { batch, column } = this;
    const { choice } = this.options;
    if (column?.isWide === true) this.collectWide(column, docs, buckets);
    else if (this.buckets.isNumbered) this.buckets.collect(docs, buckets);
    else {
      batch.read(column, docs, this.missing);
      if (choice === null) this.buckets.addEach(docs, buckets, batch, this.countsRepeats);
      else this.collectChosen(choice, docs, buckets);
    }
  }

  collectAlike(docs: DocBatch, bucket: number, buckets: Uint32Array): void {
    if (this.column?.isWide !== true && this.buckets.isNumbered) this.buckets.collectAlike(docs, bucket, buckets);
    else this.collect(docs, buckets);
  }

  private collectChosen(choice: NumberChoice, { docs }: DocBatch, buckets: Uint32Array): void {
    const { positions, values, length } = this.batch;
    let lastAt = -1;
    let lastValue = Number.NaN;
    for (let k = 0; k < length; k++) {
      const at = positions[k] as number;
      const value = values[k] as number;
      if (at === lastAt && value === lastValue && !this.countsRepeats) continue;
      lastAt = at;
      lastValue = value;
      if (choice.takes(this.keyOf(value))) this.buckets.add(docs[at] as number, buckets[at] as number, value);
    }
  }

  /** Key of a bucket by its number. */
  private keyOf(number: number): BucketKey {
    return this.options.source.texts?.text(number) ?? this.wide.value(number);
  }

  private count(doc: number, parent: number, key: number): void {
    const { choice } = this.options;
    if (choice === null || choice.takes(this.keyOf(key))) this.buckets.add(doc, parent, key);
  }

  private collectWide(column: NumericColumn, { docs, count }: DocBatch, buckets: Uint32Array): void {
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const from = column.start(doc);
      const to = column.start(doc + 1);
      let last: bigint | null = null;
      if (from === to && !Number.isNaN(this.missing)) this.count(doc, buckets[i] as number, this.missing);
      for (let at = from; at < to; at++) {
        const value = column.bigValue(at);
        if (value === last && !this.countsRepeats) continue;
        last = value;
        this.count(doc, buckets[i] as number, this.wide.of(value));
      }
    }
  }

  *leave(meter: StepMeter): Steps<void> {
    yield* this.buckets.leave(meter);
    yield* this.options.children.leave(meter);
    this.column = null;
  }

  *results(buckets: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { aggregation, source, children } = this.options;
    const { only } = this.buckets;
    if (only !== null) {
      const candidates = yield* this.numberedCandidates(only, meter);
      return yield* termsResults(aggregation, source, [candidates], children, meter);
    }
    yield* this.buckets.settle(meter);
    if (wantsEmptyTerms(aggregation)) yield* this.addEmpty(buckets, meter);
    const { ids, counts } = this.buckets;
    const parents: TermsCandidates[] = [];
    for (const list of yield* ids.byParent(buckets, meter)) {
      const terms: CountedTerms = {
        length: list.length,
        count: (at) => counts.at(list[at] as number),
        candidate: (at, docCount) => {
          const id = list[at] as number;
          return { id, key: this.keyOf(ids.keys.at(id)), docCount };
        },
      };
      parents.push(yield* candidatesOf(aggregation, terms, meter));
    }
    return yield* termsResults(aggregation, source, parents, children, meter);
  }

  /** Values that no match has, of segments with and without matches. */
  private *addEmpty(parents: ArrayLike<number>, meter: StepMeter): Steps<void> {
    const { source, views, choice } = this.options;
    const known = new Set<number>();
    // What a script makes of documents that do not match is not asked.
    for (const view of source.scripted === undefined ? views : []) {
      const column = numbersOf(view, source);
      const end = column === null ? 0 : column.start(view.segment.docCount);
      for (let at = 0; column !== null && at < end; at++) {
        const key = column.isWide ? this.wide.of(column.bigValue(at)) : column.value(at);
        if (meter.isDue(0.05)) yield;
        if (known.has(key) || (choice !== null && !choice.takes(this.keyOf(key)))) continue;
        known.add(key);
        checkEmptyBuckets(parents.length, known.size);
        for (let i = 0; i < parents.length; i++) this.buckets.ids.idOf(parents[i] as number, key);
      }
    }
  }

  private numberedCandidates({ numbers, counts }: NumberedCounts, meter: StepMeter): Steps<TermsCandidates> {
    const terms: CountedTerms = {
      length: counts.length,
      count: (at) => counts[at] as number,
      candidate: (at, docCount) => ({ id: 0, key: numbers.key(at), docCount }),
    };
    return likelyCandidates(this.options.aggregation, terms, meter);
  }
}

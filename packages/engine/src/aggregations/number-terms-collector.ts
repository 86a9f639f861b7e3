/**
 * `terms` over a field of numbers, dates or booleans.
 */
import type { BucketKey, PartialResult, TermsAggregation } from '@shoal/aggregations';
import type { NumericColumn, SegmentView } from '../segment/segment-reader.ts';
import type { BucketCollector, ChildBatch } from './bucket-collector.ts';
import { missingNumber, NumberBatch, numbersOf, type ResolvedSource, readNumbers } from './field-values.ts';
import { spanOf, wholeNumbers } from './key-index.ts';
import { KeyedBuckets, type NumberedCounts } from './keyed-buckets.ts';
import { likelyCandidates, type TermsCandidates, termsResults } from './terms-buckets.ts';
import type { NumberChoice } from './terms-choice.ts';

/** Longs beyond 2^53, kept exactly: their keys stand behind this, where no double of a column can be. */
const WIDE_BASE = 1e300;

export interface NumberTermsOptions {
  readonly aggregation: TermsAggregation;
  readonly source: ResolvedSource;
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
  private readonly wide: bigint[] = [];
  private readonly wideAt = new Map<bigint, number>();

  constructor(options: NumberTermsOptions) {
    this.options = options;
    this.missing = missingNumber(options.source);
    this.buckets = new KeyedBuckets(options.children);
  }

  get memoryBytes(): number {
    return this.buckets.memoryBytes + this.wide.length * 64;
  }

  enter(view: SegmentView): void {
    const { source, children, choice, isTop } = this.options;
    this.column = numbersOf(view, source);
    const isNumbered = isTop && choice === null && this.column?.kind === 'long';
    const span = isNumbered ? spanOf(this.column, this.missing, view.segment.docCount) : null;
    this.buckets.enter(span && wholeNumbers(span));
    children.enter(view);
  }

  collectStretch(from: number, to: number): boolean {
    const { column, buckets } = this;
    if (column?.isDense !== true || !buckets.isNumbered) return false;
    buckets.addStretch(column, from, to);
    return true;
  }

  collect(docs: Uint32Array, buckets: Uint32Array, count: number): void {
    if (this.column?.isWide === true) {
      this.collectWide(this.column, docs, buckets, count);
      return;
    }
    const { batch } = this;
    readNumbers(this.column, docs, count, this.missing, batch);
    if (this.buckets.isNumbered) {
      this.buckets.addBatch(docs, batch);
      return;
    }
    const { positions, values, length } = batch;
    let lastAt = -1;
    let lastValue = Number.NaN;
    for (let k = 0; k < length; k++) {
      const at = positions[k] as number;
      const value = values[k] as number;
      // Several equal values of a document are one occurrence.
      if (at === lastAt && value === lastValue) continue;
      lastAt = at;
      lastValue = value;
      this.count(docs[at] as number, buckets[at] as number, value);
    }
  }

  private count(doc: number, parent: number, key: number): void {
    const { choice } = this.options;
    if (choice === null || choice.takes(this.keyOf(key))) this.buckets.add(doc, parent, key);
  }

  private collectWide(column: NumericColumn, docs: Uint32Array, buckets: Uint32Array, count: number): void {
    for (let i = 0; i < count; i++) {
      const doc = docs[i] as number;
      const from = column.start(doc);
      const to = column.start(doc + 1);
      let last: bigint | null = null;
      if (from === to && !Number.isNaN(this.missing)) this.count(doc, buckets[i] as number, this.missing);
      for (let at = from; at < to; at++) {
        const value = column.bigValue(at);
        if (value === last) continue;
        last = value;
        this.count(doc, buckets[i] as number, this.wideKey(value));
      }
    }
  }

  private wideKey(value: bigint): number {
    const number = Number(value);
    if (Number.isSafeInteger(number)) return number;
    let at = this.wideAt.get(value);
    if (at === undefined) {
      at = this.wide.length;
      this.wideAt.set(value, at);
      this.wide.push(value);
    }
    return WIDE_BASE * (at + 1);
  }

  private keyOf(key: number): BucketKey {
    if (this.wide.length === 0 || key < WIDE_BASE) return key;
    return this.wide[Math.round(key / WIDE_BASE) - 1] ?? key;
  }

  leave(): void {
    this.buckets.leave();
    this.options.children.leave();
    this.column = null;
  }

  results(buckets: ArrayLike<number>): PartialResult[] {
    const { aggregation, source, children } = this.options;
    const { only } = this.buckets;
    if (only !== null) return termsResults(aggregation, source, [this.numberedCandidates(only)], children);
    this.buckets.settle();
    const { ids, counts } = this.buckets;
    const parents = ids.byParent(buckets).map((list) =>
      likelyCandidates(aggregation, {
        length: list.length,
        count: (at) => counts.at(list[at] as number),
        candidate: (at, docCount) => {
          const id = list[at] as number;
          return { id, key: this.keyOf(ids.keys.at(id)), docCount };
        },
      }),
    );
    return termsResults(aggregation, source, parents, children);
  }

  private numberedCandidates({ index, counts }: NumberedCounts): TermsCandidates {
    return likelyCandidates(this.options.aggregation, {
      length: counts.length,
      count: (at) => counts[at] as number,
      candidate: (at, docCount) => ({ id: 0, key: index.key(at), docCount }),
    });
  }
}

/**
 * `terms` over a field of texts or addresses: counts by ordinal, texts are read for what is shown alone.
 */

import { type BucketKey, isByCountDescending, type PartialResult, type TermsAggregation } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import { assert } from '@shoal/core';
import type { OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { BucketCollector, ChildBatch } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import { KeyedBuckets } from '../keyed/keyed-buckets.ts';
import { CodeBatch } from '../values/batch-values.ts';
import { keyOfTerm, type ResolvedSource, termOfKey } from '../values/field-values.ts';
import { TermNumbers } from './term-numbers.ts';
import {
  type CountedTerms,
  likelyCandidates,
  likelyLeast,
  type TermsCandidate,
  type TermsCandidates,
  termsResults,
} from './terms-buckets.ts';
import type { TextChoice } from './terms-choice.ts';

export interface TextTermsOptions {
  readonly aggregation: TermsAggregation;
  readonly source: ResolvedSource;
  readonly children: ChildBatch;
  /** The parent is the request: it has one bucket. */
  readonly isTop: boolean;
  /** null: every text. */
  readonly choice: TextChoice | null;
}

export class TextTermsCollector implements BucketCollector {
  private readonly options: TextTermsOptions;
  private readonly numbers = new TermNumbers();
  private readonly batch = new CodeBatch();
  private column: OrdinalColumn | null = null;
  /** Documents by ordinal of the current segment, where buckets are term numbers; added to the counts at its end. */
  private direct: Uint32Array | null = null;
  /** By term number, at the top without children. */
  private readonly counts = new BucketCounts();
  /** Elsewhere: their keys are term numbers. */
  private readonly buckets: KeyedBuckets;
  private missingOrdinal = -1;

  constructor(options: TextTermsOptions) {
    this.options = options;
    this.buckets = new KeyedBuckets(options.children);
  }

  /** Buckets are the term numbers themselves. */
  private get isFlat(): boolean {
    return this.options.isTop && this.options.children.isEmpty;
  }

  get memoryBytes(): number {
    const { numbers, buckets, counts, direct } = this;
    return numbers.memoryBytes + buckets.memoryBytes + counts.memoryBytes + (direct?.byteLength ?? 0);
  }

  enter(view: SegmentView): void {
    assert(
      this.column === null,
      `[${this.options.source.field}] entered a segment of ${view.segment.docCount} documents before it left another`,
    );
    const { source, children, choice, isTop } = this.options;
    const column = view.segment.ordinalColumn(source.field);
    this.column = column;
    this.numbers.enter(column);
    const valueCount = column?.valueCount ?? 0;
    this.missingOrdinal = source.missing === null ? -1 : valueCount;
    this.direct = this.isFlat ? new Uint32Array(valueCount + 1) : null;
    choice?.enter(column);
    children.enter(view);
    if (this.isFlat) return;
    const missing = this.missingOrdinal;
    const key = (ordinal: number): number =>
      choice === null || this.isChosen(choice, ordinal) ? this.numberOf(ordinal) : Number.NaN;
    const read = (docs: DocBatch, into: CodeBatch): void => into.readOrdinals(column, docs, missing);
    this.buckets.enter({ size: valueCount + 1, key, read }, isTop);
  }

  collect(docs: DocBatch, parents: Uint32Array): void {
    const { batch, direct } = this;
    if (direct === null) {
      this.buckets.collect(docs, parents);
      return;
    }
    batch.readOrdinals(this.column, docs, this.missingOrdinal);
    const { values, length } = batch;
    for (let k = 0; k < length; k++) {
      const ordinal = values[k] as number;
      direct[ordinal] = (direct[ordinal] as number) + 1;
    }
  }

  private isChosen(choice: TextChoice, ordinal: number): boolean {
    return ordinal === this.missingOrdinal ? choice.takesText(this.missingBytes()) : choice.takes(ordinal);
  }

  private missingBytes(): Uint8Array {
    const { source } = this.options;
    return termOfKey(source, source.missing ?? '');
  }

  private numberOf(ordinal: number): number {
    return ordinal === this.missingOrdinal
      ? this.numbers.ofBytes(this.missingBytes())
      : this.numbers.ofOrdinal(ordinal);
  }

  leave(): void {
    const { direct } = this;
    const { aggregation, choice } = this.options;
    this.options.children.leave();
    if (direct !== null) {
      for (let ordinal = 0; ordinal < direct.length; ordinal++) {
        const count = direct[ordinal] as number;
        if (count === 0 || (choice !== null && !this.isChosen(choice, ordinal))) continue;
        this.counts.add(this.numberOf(ordinal), count);
      }
      this.direct = null;
    }
    this.buckets.leave();
    if (aggregation.minDocCount === 0) this.addEmpty();
    this.column = null;
  }

  /** Texts that no document of the search has, for those who ask for empty buckets. */
  private addEmpty(): void {
    const { choice } = this.options;
    const valueCount = this.column?.valueCount ?? 0;
    for (let ordinal = 0; ordinal < valueCount; ordinal++) {
      if (choice !== null && !choice.takes(ordinal)) continue;
      const number = this.numbers.ofOrdinal(ordinal);
      if (this.isFlat) this.counts.reserve(number + 1);
      else if (this.options.isTop) this.buckets.ids.idOf(0, number);
    }
  }

  *results(parents: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { aggregation, source, children } = this.options;
    if (this.isFlat) {
      const candidates = yield* this.flatCandidates(meter);
      return yield* termsResults(aggregation, source, [candidates], children, meter);
    }
    const { ids, counts } = this.buckets;
    const wantsEmpty = aggregation.minDocCount === 0 && aggregation.shardMinDocCount === 0;
    const found: TermsCandidates[] = [];
    for (const list of yield* ids.byParent(parents, meter)) {
      const candidate = (at: number, docCount: number): TermsCandidate => {
        const id = list[at] as number;
        return { id, key: this.keyOf(ids.keys.at(id)), docCount };
      };
      const count = (at: number): number => counts.at(list[at] as number);
      const terms: CountedTerms = { length: list.length, count, candidate };
      if (!wantsEmpty) found.push(yield* likelyCandidates(aggregation, terms, meter));
      else found.push({ candidates: list.map((_, at) => candidate(at, count(at))), otherDocCount: 0 });
    }
    return yield* termsResults(aggregation, source, found, children, meter);
  }

  private *flatCandidates(meter: StepMeter): Steps<TermsCandidates> {
    const { aggregation } = this.options;
    const counts = this.counts.values;
    const size = this.numbers.size;
    const wantsEmpty = aggregation.minDocCount === 0 && aggregation.shardMinDocCount === 0;
    // Texts of those that cannot be among the first are never read.
    const canCut = isByCountDescending(aggregation.order) && !wantsEmpty;
    const total = Math.min(size, counts.length);
    const least = canCut ? yield* likelyLeast(counts, total, aggregation.shardSize, meter) : 0;
    const candidates: TermsCandidate[] = [];
    let other = 0;
    for (let number = 0; number < size; number++) {
      const docCount = counts[number] ?? 0;
      if (meter.isDue(docCount >= least ? 0.5 : 0.01)) yield;
      if (docCount === 0 && !wantsEmpty) continue;
      if (docCount < least) {
        if (docCount >= aggregation.shardMinDocCount) other += docCount;
      } else if (docCount > 0 || this.isTaken(number))
        candidates.push({ id: number, key: this.keyOf(number), docCount });
    }
    return { candidates, otherDocCount: other };
  }

  private isTaken(number: number): boolean {
    const { choice } = this.options;
    return choice === null || choice.takesText(this.numbers.bytes(number));
  }

  private keyOf(number: number): BucketKey {
    const bytes = this.numbers.bytes(number);
    return keyOfTerm(this.options.source, bytes);
  }
}

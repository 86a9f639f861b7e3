/**
 * `terms` over a field of texts or addresses: counts by ordinal, texts are read for what is shown alone.
 */

import { type BucketKey, isByCountDescending, type PartialResult, type TermsAggregation } from '@shoal/aggregations';
import type { StepMeter, Steps } from '@shoal/core';
import { assert } from '@shoal/core';
import type { OrdinalColumn, SegmentView } from '../../../format/reader/segment-reader.ts';
import type { ShardFielddata } from '../../../memory/fielddata-use.ts';
import type { BucketCollector, ChildBatch, ProfiledCollector } from '../collector/bucket-collector.ts';
import { BucketCounts } from '../collector/bucket-ids.ts';
import type { DocBatch } from '../collector/doc-batch.ts';
import type { StateSharing } from '../collector/state-sharing.ts';
import { KeyedBuckets } from '../keyed/keyed-buckets.ts';
import { CodeBatch } from '../values/batch-values.ts';
import { DocCounts } from '../values/doc-counts.ts';
import { keyOfTerm, type ResolvedSource, termOfKey } from '../values/field-values.ts';
import { NumberTally } from '../values/number-tally.ts';
import { deferredNames, isByMetric, isDeferred } from './deferred-children.ts';
import { TermNumbers } from './term-numbers.ts';
import {
  COUNTS_A_STEP,
  type CountedTerms,
  candidatesOf,
  checkEmptyBuckets,
  emptyTermsWanted,
  likelyLeast,
  type TermsCandidate,
  type TermsCandidates,
  termsResults,
  wantsEmptyTerms,
} from './terms-buckets.ts';
import type { TextChoice } from './terms-choice.ts';
import { textTermsSharing } from './text-terms-sharing.ts';

/** Ordinals whose counts are added at once. */
const FOLD_STEP = 65_536;

type OrdinalCounts = Uint32Array | Float64Array;

export interface TextTermsOptions {
  readonly aggregation: TermsAggregation;
  readonly source: ResolvedSource;
  /** All segments of the searcher. */
  readonly views: readonly SegmentView[];
  /** Counts what the numbers of the terms hold beyond the request; null: nobody counts. */
  readonly fielddata: ShardFielddata | null;
  /** Texts are told apart by numbers that all segments share, built where they are missing. */
  readonly usesNumbers: boolean;
  readonly children: ChildBatch;
  /** The parent is the request: it has one bucket. */
  readonly isTop: boolean;
  /** null: every text. */
  readonly choice: TextChoice | null;
}

export class TextTermsCollector implements BucketCollector {
  private readonly options: TextTermsOptions;
  private readonly numbers: TermNumbers;
  private readonly batch = new CodeBatch();
  private column: OrdinalColumn | null = null;
  /** Documents by ordinal of the current segment, where buckets are term numbers; added to the counts at its end. */
  private tally: NumberTally | null = null;
  /** The same where documents count as many. */
  private weighted: Float64Array | null = null;
  private docCounts: DocCounts | null = null;
  /** By term number, at the top without children. */
  private readonly counts = new BucketCounts();
  /** Elsewhere: their keys are term numbers. */
  private readonly buckets: KeyedBuckets;
  private missingOrdinal = -1;
  /** Segments entered, by whether a document of them has several values. */
  private readonly segments = { single: 0, multi: 0 };

  constructor(options: TextTermsOptions) {
    this.options = options;
    const { fielddata, usesNumbers } = options;
    this.numbers = new TermNumbers(options.source.field, options.views, { fielddata, buildsUnions: usesNumbers });
    this.buckets = new KeyedBuckets(options.children);
  }

  /** Buckets are the term numbers themselves. */
  private get isFlat(): boolean {
    return this.options.isTop && this.options.children.isEmpty;
  }

  get memoryBytes(): number {
    const { numbers, buckets, counts, tally, weighted } = this;
    const ofSegment = (tally?.memoryBytes ?? 0) + (weighted?.byteLength ?? 0);
    return numbers.memoryBytes + buckets.memoryBytes + counts.memoryBytes + ofSegment;
  }

  get profiled(): ProfiledCollector {
    const { aggregation, usesNumbers, choice, isTop } = this.options;
    const deferred = deferredNames(aggregation, this.numbers.size);
    const debug = { ...deferred, result_strategy: 'terms' };
    if (aggregation.maxDocCount !== null) return { type: 'StringRareTermsAggregator' };
    const { count } = this.buckets.ids;
    if (!usesNumbers) {
      const found = this.isFlat ? usedOf(this.counts.values) : count;
      return { type: 'MapStringTermsAggregator', debug: { ...debug, total_buckets: found } };
    }
    const isDense = choice === null && isTop && !isByMetric(aggregation) && isDeferred(aggregation, this.numbers.size);
    const segments = {
      segments_with_single_valued_ords: this.segments.single,
      segments_with_multi_valued_ords: this.segments.multi,
    };
    return {
      type: 'GlobalOrdinalsStringTermsAggregator',
      debug: {
        ...debug,
        collection_strategy: isDense || (choice === null && this.isFlat) ? 'dense' : 'remap',
        ...segments,
        has_filter: choice !== null,
      },
    };
  }

  /** Where texts are told apart without the numbers of all segments, each thread has numbers of its own. */
  share(views: readonly SegmentView[]): StateSharing | null {
    const { children, usesNumbers } = this.options;
    const inner = usesNumbers ? children.share(views) : null;
    const { numbers, buckets, counts } = this;
    return inner && textTermsSharing({ numbers, buckets, flat: this.isFlat ? counts : null }, inner);
  }

  enter(view: SegmentView): void {
    assert(
      this.column === null,
      `[${this.options.source.field}] entered a segment of ${view.segment.docCount} documents before it left another`,
    );
    const { source, children, choice, isTop } = this.options;
    const column = view.segment.ordinalColumn(source.field);
    this.column = column;
    if (column?.isMultiValued) this.segments.multi++;
    else this.segments.single++;
    this.numbers.enter(view, column);
    const valueCount = column?.valueCount ?? 0;
    this.missingOrdinal = source.missing === null ? -1 : valueCount;
    this.docCounts = DocCounts.of(view);
    this.tally = this.isFlat && this.docCounts === null ? new NumberTally(valueCount + 1) : null;
    // Sums of what documents count as go beyond 2^32.
    this.weighted = this.isFlat && this.docCounts !== null ? new Float64Array(valueCount + 1) : null;
    choice?.enter(column);
    children.enter(view);
    if (this.isFlat) return;
    const missing = this.missingOrdinal;
    const key = (ordinal: number): number =>
      choice === null || this.isChosen(choice, ordinal) ? this.numberOf(ordinal) : Number.NaN;
    const read = (docs: DocBatch, into: CodeBatch): void => into.readOrdinals(column, docs, missing);
    const flat = missing < 0 ? (column?.flat ?? null) : null;
    this.buckets.enter({ size: valueCount + 1, key, read, flat }, isTop, this.docCounts);
  }

  collect(docs: DocBatch, parents: Uint32Array): void {
    const { batch, tally, weighted, column, docCounts } = this;
    const flat = column?.flat ?? null;
    if (!this.isFlat) this.buckets.collect(docs, parents);
    else if (tally !== null && flat !== null) tally.addFlat(flat, docs);
    else {
      batch.readOrdinals(column, docs, this.missingOrdinal);
      tally?.add(batch);
      if (weighted !== null && docCounts !== null) countWeighted(batch, weighted, docCounts, docs);
    }
  }

  collectAlike(docs: DocBatch, parent: number, parents: Uint32Array): void {
    if (this.isFlat) this.collect(docs, parents);
    else this.buckets.collectAlike(docs, parent, parents);
  }

  private isTaken(ordinal: number): boolean {
    const { choice } = this.options;
    return choice === null || this.isChosen(choice, ordinal);
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

  *leave(meter: StepMeter): Steps<void> {
    const { numbers } = this;
    yield* this.options.children.leave(meter);
    const direct = this.tally?.finish() ?? this.weighted;
    if (direct !== null) yield* this.countDirect(direct, meter);
    this.tally = null;
    this.weighted = null;
    yield* this.buckets.leave(meter);
    // What was looked up here is not looked up by the next request.
    yield* numbers.settle(0, meter);
    this.column = null;
  }

  /** Documents by ordinal become documents by number. */
  private *countDirect(direct: OrdinalCounts, meter: StepMeter): Steps<void> {
    const { numbers, counts, missingOrdinal } = this;
    const { choice } = this.options;
    const valueCount = direct.length - 1;
    if (missingOrdinal >= 0 && (direct[missingOrdinal] as number) > 0 && this.isTaken(missingOrdinal))
      counts.add(this.numberOf(missingOrdinal), direct[missingOrdinal] as number);
    if (choice === null && numbers.table === undefined) yield* numbers.settle(usedOf(direct), meter);
    const { table } = numbers;
    if (choice !== null || table === undefined) {
      for (let ordinal = 0; ordinal < valueCount; ordinal++) {
        const count = direct[ordinal] as number;
        if (meter.isDue(count === 0 ? 0.005 : 1)) yield;
        if (count > 0 && this.isTaken(ordinal)) counts.add(this.numberOf(ordinal), count);
      }
      return;
    }
    counts.reserve(numbers.size);
    for (let from = 0; from < valueCount; from += FOLD_STEP) {
      addCounts(direct, table, counts.values, from, Math.min(valueCount, from + FOLD_STEP));
      if (meter.isDue(FOLD_STEP / 500)) yield;
    }
  }

  /** Texts that no match has, of segments with and without matches, for those who ask for empty buckets. */
  private *addEmpty(parents: ArrayLike<number>, meter: StepMeter): Steps<void> {
    const { aggregation, choice, views, source } = this.options;
    const wanted = emptyTermsWanted(aggregation);
    for (const view of views) {
      const column = view.segment.ordinalColumn(source.field);
      this.numbers.enter(view, column);
      choice?.enter(column);
      const valueCount = column?.valueCount ?? 0;
      checkEmptyBuckets(parents.length, Math.min(valueCount, wanted.count));
      if (choice === null) yield* this.numbers.settle(valueCount, meter);
      let left = wanted.count;
      for (let i = 0; i < valueCount && left > 0; i++) {
        if (meter.isDue(0.5 + 0.05 * parents.length)) yield;
        const ordinal = wanted.isFromEnd ? valueCount - 1 - i : i;
        if (choice !== null && !choice.takes(ordinal)) continue;
        this.addEmptyNumber(this.numbers.ofOrdinal(ordinal), parents);
        left--;
      }
    }
    if (source.missing === null) return;
    // What stands for no value is a text of the field, whether or not a document lacks one.
    const missing = this.missingBytes();
    if (choice === null || choice.takesText(missing)) this.addEmptyNumber(this.numbers.ofBytes(missing), parents);
  }

  private addEmptyNumber(number: number, parents: ArrayLike<number>): void {
    if (this.isFlat) this.counts.reserve(number + 1);
    else for (let i = 0; i < parents.length; i++) this.buckets.ids.idOf(parents[i] as number, number);
  }

  *results(parents: ArrayLike<number>, meter: StepMeter): Steps<PartialResult[]> {
    const { aggregation, source, children } = this.options;
    if (aggregation.minDocCount === 0) yield* this.addEmpty(parents, meter);
    if (this.isFlat) {
      const candidates = yield* this.flatCandidates(meter);
      return yield* termsResults(aggregation, source, [candidates], children, meter);
    }
    const { ids, counts } = this.buckets;
    const found: TermsCandidates[] = [];
    for (const list of yield* ids.byParent(parents, meter)) {
      const candidate = (at: number, docCount: number): TermsCandidate => {
        const id = list[at] as number;
        return { id, key: this.keyOf(ids.keys.at(id)), docCount };
      };
      const count = (at: number): number => counts.at(list[at] as number);
      const terms: CountedTerms = { length: list.length, count, candidate };
      found.push(yield* candidatesOf(aggregation, terms, meter));
    }
    return yield* termsResults(aggregation, source, found, children, meter);
  }

  private *flatCandidates(meter: StepMeter): Steps<TermsCandidates> {
    const { aggregation } = this.options;
    const counts = this.counts.values;
    const size = this.numbers.size;
    const wantsEmpty = wantsEmptyTerms(aggregation);
    // Texts of those that cannot be among the first are never read.
    const canCut = isByCountDescending(aggregation.order) && !wantsEmpty;
    const total = Math.min(size, counts.length);
    const least = canCut ? yield* likelyLeast(counts, total, aggregation.shardSize, meter) : 0;
    const candidates: TermsCandidate[] = [];
    let other = 0;
    for (let from = 0; from < size; from += COUNTS_A_STEP) {
      const to = Math.min(size, from + COUNTS_A_STEP);
      const found = wantsEmpty ? null : numbersAbove(counts, Math.max(1, least), from, Math.min(to, counts.length));
      other += found?.other ?? 0;
      if (meter.isDue((to - from) * 0.005)) yield;
      for (const number of found?.numbers ?? this.takenNumbers(from, to)) {
        candidates.push({ id: number, key: this.keyOf(number), docCount: counts[number] ?? 0 });
        if (meter.isDue(0.5)) yield;
      }
    }
    return { candidates, otherDocCount: other };
  }

  /** Numbers of from..to - 1 that have documents, or whose texts are asked for. */
  private *takenNumbers(from: number, to: number): Iterable<number> {
    const { values } = this.counts;
    for (let number = from; number < to; number++) {
      if ((values[number] ?? 0) > 0 || this.isTakenNumber(number)) yield number;
    }
  }

  private isTakenNumber(number: number): boolean {
    const { choice } = this.options;
    return choice === null || choice.takesText(this.numbers.bytes(number));
  }

  private keyOf(number: number): BucketKey {
    const bytes = this.numbers.bytes(number);
    return keyOfTerm(this.options.source, bytes);
  }
}

/** Which of the numbers from..to - 1 have at least `least` documents, and how many documents the others have together. */
function numbersAbove(
  counts: Float64Array,
  least: number,
  from: number,
  to: number,
): { readonly numbers: readonly number[]; readonly other: number } {
  const numbers: number[] = [];
  let other = 0;
  for (let number = from; number < to; number++) {
    const count = counts[number] as number;
    if (count >= least) numbers.push(number);
    else other += count;
  }
  return { numbers, other };
}

function countWeighted(
  { positions, values, length }: CodeBatch,
  direct: Float64Array,
  docCounts: DocCounts,
  { docs }: DocBatch,
): void {
  for (let k = 0; k < length; k++) {
    const ordinal = values[k] as number;
    direct[ordinal] = (direct[ordinal] as number) + docCounts.at(docs[positions[k] as number] as number);
  }
}

/** Ordinals that some document has. */
function usedOf(direct: ArrayLike<number>): number {
  let used = 0;
  for (let ordinal = 0; ordinal < direct.length; ordinal++) if (direct[ordinal] !== 0) used++;
  return used;
}

/** Adds the counts of the ordinals from..to - 1 to those of their numbers; `table` null: they are the same. */
function addCounts(
  direct: OrdinalCounts,
  table: Uint32Array | null,
  counts: Float64Array,
  from: number,
  to: number,
): void {
  if (table === null) for (let i = from; i < to; i++) counts[i] = (counts[i] as number) + (direct[i] as number);
  else {
    for (let i = from; i < to; i++) {
      const number = table[i] as number;
      counts[number] = (counts[number] as number) + (direct[i] as number);
    }
  }
}

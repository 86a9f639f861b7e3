/**
 * `terms` over a field of texts or addresses: counts by ordinal, texts are read for what is shown alone.
 */
import { type BucketKey, isByCountDescending, type PartialResult, type TermsAggregation } from '@shoal/aggregations';
import type { OrdinalColumn, SegmentView } from '../segment/segment-reader.ts';
import type { BucketCollector, ChildBatch } from './bucket-collector.ts';
import { BucketCounts, BucketIds } from './bucket-ids.ts';
import { missingBytes, NumberBatch, type ResolvedSource, readOrdinals } from './field-values.ts';
import { TermNumbers } from './term-numbers.ts';
import {
  likelyCandidates,
  likelyTop,
  type TermsCandidate,
  type TermsCandidates,
  termsResults,
} from './terms-buckets.ts';
import type { TextChoice } from './terms-choice.ts';

const utf8 = new TextDecoder();

export interface TextTermsOptions {
  readonly aggregation: TermsAggregation;
  readonly source: ResolvedSource;
  readonly children: ChildBatch;
  /** The parent is the request: it has one bucket. */
  readonly isTop: boolean;
  /** null: every text. */
  readonly choice: TextChoice | null;
}

/** Buckets of ordinals: not looked up yet, and left out by the choice. */
const UNKNOWN = -1;
const LEFT_OUT = -2;

export class TextTermsCollector implements BucketCollector {
  private readonly options: TextTermsOptions;
  private readonly numbers = new TermNumbers();
  private readonly batch = new NumberBatch();
  private column: OrdinalColumn | null = null;
  /** Of the current segment and the top alone: documents by ordinal; folded into the counts at its end. */
  private direct: Uint32Array | null = null;
  /** Of the current segment and the top alone, for children: buckets by ordinal. */
  private bucketOf = new Int32Array(0);
  private readonly ids = new BucketIds();
  /** By term number at the top without children, else by bucket. */
  private readonly counts = new BucketCounts();
  private missingOrdinal = -1;

  constructor(options: TextTermsOptions) {
    this.options = options;
  }

  /** Buckets are the term numbers themselves. */
  private get isFlat(): boolean {
    return this.options.isTop && this.options.children.isEmpty;
  }

  get memoryBytes(): number {
    const { numbers, ids, counts, options, direct, bucketOf } = this;
    const ofSegment = (direct?.byteLength ?? 0) + bucketOf.byteLength;
    return numbers.memoryBytes + ids.memoryBytes + counts.memoryBytes + options.children.memoryBytes + ofSegment;
  }

  enter(view: SegmentView): void {
    const { source, children, choice, isTop } = this.options;
    this.column = view.segment.ordinalColumn(source.field);
    this.numbers.enter(this.column);
    const valueCount = this.column?.valueCount ?? 0;
    this.missingOrdinal = source.missing === null ? -1 : valueCount;
    this.direct = isTop ? new Uint32Array(valueCount + 1) : null;
    this.bucketOf = new Int32Array(isTop && !children.isEmpty ? valueCount + 1 : 0).fill(UNKNOWN);
    choice?.enter(this.column);
    children.enter(view);
  }

  collectStretch(from: number, to: number): boolean {
    const { direct } = this;
    const flat = this.column?.flat ?? null;
    if (direct === null || flat === null) return false;
    for (let doc = from; doc < to; doc++) {
      const ordinal = flat[doc] as number;
      direct[ordinal] = (direct[ordinal] as number) + 1;
    }
    if (this.isFlat) return true;
    const { children } = this.options;
    for (let doc = from; doc < to; doc++) {
      const bucket = this.bucketAt(flat[doc] as number);
      if (bucket !== LEFT_OUT) children.push(doc, bucket);
    }
    return true;
  }

  collect(docs: Uint32Array, buckets: Uint32Array, count: number): void {
    const { batch, direct } = this;
    const { children, choice } = this.options;
    readOrdinals(this.column, docs, count, this.missingOrdinal, batch);
    const { positions, values, length } = batch;
    if (direct !== null) {
      for (let k = 0; k < length; k++) {
        const ordinal = values[k] as number;
        direct[ordinal] = (direct[ordinal] as number) + 1;
      }
      if (this.isFlat) return;
      for (let k = 0; k < length; k++) {
        const bucket = this.bucketAt(values[k] as number);
        if (bucket !== LEFT_OUT) children.push(docs[positions[k] as number] as number, bucket);
      }
      return;
    }
    const { ids, counts } = this;
    for (let k = 0; k < length; k++) {
      const at = positions[k] as number;
      const ordinal = values[k] as number;
      if (choice !== null && !this.isChosen(choice, ordinal)) continue;
      const bucket = ids.idOf(buckets[at] as number, this.numberOf(ordinal));
      counts.add(bucket, 1);
      if (!children.isEmpty) children.push(docs[at] as number, bucket);
    }
  }

  /** At the top: the bucket of an ordinal. */
  private bucketAt(ordinal: number): number {
    const known = this.bucketOf[ordinal] as number;
    if (known !== UNKNOWN) return known;
    const { choice } = this.options;
    const isChosen = choice === null || this.isChosen(choice, ordinal);
    return (this.bucketOf[ordinal] = isChosen ? this.ids.idOf(0, this.numberOf(ordinal)) : LEFT_OUT);
  }

  private isChosen(choice: TextChoice, ordinal: number): boolean {
    return ordinal === this.missingOrdinal ? choice.takesText(this.missingBytes()) : choice.takes(ordinal);
  }

  private missingBytes(): Uint8Array {
    return missingBytes(this.options.source);
  }

  private numberOf(ordinal: number): number {
    return ordinal === this.missingOrdinal
      ? this.numbers.ofBytes(this.missingBytes())
      : this.numbers.ofOrdinal(ordinal);
  }

  leave(): void {
    const { direct } = this;
    const { aggregation } = this.options;
    this.options.children.leave();
    const wantsEmpty = aggregation.minDocCount === 0;
    if (direct !== null) {
      for (let ordinal = 0; ordinal < direct.length; ordinal++) {
        const count = direct[ordinal] as number;
        if (count > 0) this.fold(ordinal, count);
      }
      this.direct = null;
      this.bucketOf = new Int32Array(0);
    }
    if (wantsEmpty) this.addEmpty();
    this.column = null;
  }

  private fold(ordinal: number, count: number): void {
    const { choice } = this.options;
    if (!this.isFlat) {
      const bucket = this.bucketAt(ordinal);
      if (bucket !== LEFT_OUT) this.counts.add(bucket, count);
    } else if (choice === null || this.isChosen(choice, ordinal)) this.counts.add(this.numberOf(ordinal), count);
  }

  /** Texts that no document of the search has, for those who ask for empty buckets. */
  private addEmpty(): void {
    const { choice } = this.options;
    const valueCount = this.column?.valueCount ?? 0;
    for (let ordinal = 0; ordinal < valueCount; ordinal++) {
      if (choice !== null && !choice.takes(ordinal)) continue;
      const number = this.numbers.ofOrdinal(ordinal);
      if (this.isFlat) this.counts.reserve(number + 1);
      else if (this.options.isTop) this.ids.idOf(0, number);
    }
  }

  results(buckets: ArrayLike<number>): PartialResult[] {
    const { aggregation, source, children } = this.options;
    if (this.isFlat) return termsResults(aggregation, source, [this.flatCandidates()], children);
    const { ids, counts } = this;
    const wantsEmpty = aggregation.minDocCount === 0 && aggregation.shardMinDocCount === 0;
    const parents = ids.byParent(buckets).map((list): TermsCandidates => {
      const candidate = (at: number, docCount: number): TermsCandidate => {
        const id = list[at] as number;
        return { id, key: this.keyOf(ids.keys.at(id)), docCount };
      };
      const count = (at: number): number => counts.at(list[at] as number);
      if (!wantsEmpty) return likelyCandidates(aggregation, { length: list.length, count, candidate });
      return { candidates: list.map((_, at) => candidate(at, count(at))), otherDocCount: 0 };
    });
    return termsResults(aggregation, source, parents, children);
  }

  private flatCandidates(): TermsCandidates {
    const { aggregation } = this.options;
    const counts = this.counts.values;
    const size = this.numbers.size;
    const wantsEmpty = aggregation.minDocCount === 0 && aggregation.shardMinDocCount === 0;
    // Texts of those that cannot be among the first are never read.
    const canCut = isByCountDescending(aggregation.order) && !wantsEmpty;
    const least = canCut ? likelyTop(counts, Math.min(size, counts.length), aggregation.shardSize).least : 0;
    const candidates: TermsCandidate[] = [];
    let other = 0;
    for (let number = 0; number < size; number++) {
      const docCount = counts[number] ?? 0;
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
    return this.options.source.kind === 'ip' ? Buffer.from(bytes).toString('latin1') : utf8.decode(bytes);
  }
}

/**
 * `terms` over a field of texts or addresses: counts by ordinal, texts are read for what is shown alone.
 */
import { type BucketKey, isByCountDescending, type PartialResult, type TermsAggregation } from '@shoal/aggregations';
import type { OrdinalColumn, SegmentView } from '../segment/segment-reader.ts';
import type { BucketCollector, ChildBatch } from './bucket-collector.ts';
import { BucketCounts, BucketIds } from './bucket-ids.ts';
import { NumberBatch, type ResolvedSource, readOrdinals } from './field-values.ts';
import { TermNumbers } from './term-numbers.ts';
import { likelyTop, type TermsCandidate, termsResult } from './terms-buckets.ts';
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

export class TextTermsCollector implements BucketCollector {
  private readonly options: TextTermsOptions;
  private readonly numbers = new TermNumbers();
  private readonly batch = new NumberBatch();
  private column: OrdinalColumn | null = null;
  /** Of the current segment and the top alone: documents by ordinal; folded into the counts at its end. */
  private direct: Uint32Array | null = null;
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
    const { numbers, ids, counts, options } = this;
    return numbers.memoryBytes + ids.memoryBytes + counts.memoryBytes + options.children.memoryBytes;
  }

  enter(view: SegmentView): void {
    const { source, children, choice } = this.options;
    this.column = view.segment.ordinalColumn(source.field);
    this.numbers.enter(this.column);
    const valueCount = this.column?.valueCount ?? 0;
    this.missingOrdinal = source.missing === null ? -1 : valueCount;
    if (this.isFlat) this.direct = new Uint32Array(valueCount + 1);
    choice?.enter(this.column);
    children.enter(view);
  }

  collect(docs: Uint32Array, buckets: Uint32Array, count: number): void {
    const { batch, direct } = this;
    readOrdinals(this.column, docs, count, this.missingOrdinal, batch);
    const { positions, values, length } = batch;
    if (direct !== null) {
      for (let k = 0; k < length; k++) {
        const ordinal = values[k] as number;
        direct[ordinal] = (direct[ordinal] as number) + 1;
      }
      return;
    }
    const { children, choice } = this.options;
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

  private isChosen(choice: TextChoice, ordinal: number): boolean {
    return ordinal === this.missingOrdinal ? choice.takesText(this.missingBytes()) : choice.takes(ordinal);
  }

  private missingBytes(): Uint8Array {
    return Buffer.from(String(this.options.source.missing), 'utf8');
  }

  private numberOf(ordinal: number): number {
    return ordinal === this.missingOrdinal
      ? this.numbers.ofBytes(this.missingBytes())
      : this.numbers.ofOrdinal(ordinal);
  }

  leave(): void {
    const { direct } = this;
    const { choice, aggregation } = this.options;
    this.options.children.leave();
    const wantsEmpty = aggregation.minDocCount === 0;
    if (direct !== null) {
      for (let ordinal = 0; ordinal < direct.length; ordinal++) {
        const count = direct[ordinal] as number;
        if (count === 0) continue;
        if (choice === null || this.isChosen(choice, ordinal)) this.counts.add(this.numberOf(ordinal), count);
      }
      this.direct = null;
    }
    if (wantsEmpty) this.addEmpty();
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
      else if (this.options.isTop) this.ids.idOf(0, number);
    }
  }

  results(buckets: ArrayLike<number>): PartialResult[] {
    const { aggregation, source, children } = this.options;
    if (this.isFlat) return Array.from(buckets, () => this.flatResult());
    return this.ids.byParent(buckets).map((ids) => {
      const candidates = ids.map((id): TermsCandidate => {
        return { id, key: this.keyOf(this.ids.keys.at(id)), docCount: this.counts.at(id) };
      });
      return termsResult(aggregation, source, candidates, 0, children);
    });
  }

  private flatResult(): PartialResult {
    const { aggregation, source, children } = this.options;
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
    return termsResult(aggregation, source, candidates, other, children);
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

/**
 * Counts of the buckets that numbers fall in, at the top or below other buckets, with their children.
 *
 * At the top and where a segment's values can be numbered, a document costs one step of an array; else its key is looked up.
 */
import { STRETCH_SIZE } from '../search/match-walk.ts';
import { BATCH_SIZE } from '../search/scorer.ts';
import type { NumericColumn } from '../segment/segment-reader.ts';
import type { ChildBatch } from './bucket-collector.ts';
import { BucketCounts, BucketIds } from './bucket-ids.ts';
import type { NumberBatch } from './field-values.ts';
import type { KeyIndex } from './key-index.ts';

const UNKNOWN = -1;

/** Documents by the numbers of an index. */
export interface NumberedCounts {
  readonly index: KeyIndex;
  readonly counts: Uint32Array;
}

export class KeyedBuckets {
  readonly ids: BucketIds = new BucketIds();
  readonly counts: BucketCounts = new BucketCounts();
  private readonly children: ChildBatch;
  private index: KeyIndex | null = null;
  /** Of this segment, by number: documents, and the bucket once it has one. */
  private numbered = new Uint32Array(0);
  private bucketOf = new Int32Array(0);
  private held: NumberedCounts | null = null;
  private numbers: Int32Array = new Int32Array(BATCH_SIZE);
  private scratch: Float64Array = new Float64Array(0);

  constructor(children: ChildBatch) {
    this.children = children;
  }

  get memoryBytes(): number {
    const { ids, counts, numbered, bucketOf, children } = this;
    return ids.memoryBytes + counts.memoryBytes + numbered.byteLength + bucketOf.byteLength + children.memoryBytes;
  }

  /** `index`: null where keys must be looked up. */
  enter(index: KeyIndex | null): void {
    this.index = index;
    this.numbered = new Uint32Array(index?.size ?? 0);
    this.bucketOf = new Int32Array(this.children.isEmpty ? 0 : (index?.size ?? 0)).fill(UNKNOWN);
  }

  get isNumbered(): boolean {
    return this.index !== null;
  }

  /** The documents from..to - 1, each with one value. */
  addStretch(column: NumericColumn, from: number, to: number): void {
    const { index } = this;
    if (index === null) return;
    if (this.scratch.length === 0) this.scratch = new Float64Array(STRETCH_SIZE);
    if (this.numbers.length < STRETCH_SIZE) this.numbers = new Int32Array(STRETCH_SIZE);
    const count = to - from;
    const { numbers, numbered, children } = this;
    index.numbers(column.stretch(from, to, this.scratch), count, numbers);
    for (let i = 0; i < count; i++) {
      const number = numbers[i] as number;
      numbered[number] = (numbered[number] as number) + 1;
    }
    if (children.isEmpty) return;
    for (let i = 0; i < count; i++) children.push(from + i, this.bucketAt(index, numbers[i] as number));
  }

  /** A batch whose documents are all in bucket 0. Several values of a document under one key count once. */
  addBatch(docs: Uint32Array, batch: NumberBatch): void {
    const { index, children } = this;
    if (index === null) return;
    const { positions, values, length } = batch;
    if (this.numbers.length < length) this.numbers = new Int32Array(length);
    const { numbers, numbered } = this;
    index.numbers(values, length, numbers);
    let lastAt = UNKNOWN;
    let lastNumber = UNKNOWN;
    for (let k = 0; k < length; k++) {
      const number = numbers[k] as number;
      const at = positions[k] as number;
      if (at === lastAt && number === lastNumber) continue;
      lastAt = at;
      lastNumber = number;
      numbered[number] = (numbered[number] as number) + 1;
      if (!children.isEmpty) children.push(docs[at] as number, this.bucketAt(index, number));
    }
  }

  private bucketAt(index: KeyIndex, number: number): number {
    const known = this.bucketOf[number] as number;
    if (known !== UNKNOWN) return known;
    return (this.bucketOf[number] = this.ids.idOf(0, index.key(number)));
  }

  /** One document whose key was made by the caller. */
  add(doc: number, parent: number, key: number): void {
    const bucket = this.ids.idOf(parent, key);
    this.counts.add(bucket, 1);
    if (!this.children.isEmpty) this.children.push(doc, bucket);
  }

  /** At the end of a segment: what was counted by number is counted by key; of the first one only when another needs it. */
  leave(): void {
    const { index, numbered, children } = this;
    if (index === null) return;
    const isFirst = this.ids.count === 0 && this.held === null;
    if (isFirst && children.isEmpty) this.held = { index, counts: numbered };
    else {
      this.settle();
      this.fold({ index, counts: numbered });
    }
    this.enter(null);
  }

  /** Counts of the only segment, by number; null where there were others. */
  get only(): NumberedCounts | null {
    return this.ids.count === 0 ? this.held : null;
  }

  /** Before buckets are read. */
  settle(): void {
    const { held } = this;
    this.held = null;
    if (held !== null) this.fold(held);
  }

  private fold({ index, counts }: NumberedCounts): void {
    for (let number = 0; number < counts.length; number++) {
      const count = counts[number] as number;
      if (count > 0) this.counts.add(this.ids.idOf(0, index.key(number)), count);
    }
  }
}

/**
 * Counts of the buckets that keys make, at the top or below other buckets, with their children.
 *
 * Where a segment's keys can be numbered, a document costs a step or two of an array; else its key is looked up.
 */

import { assert, type StepMeter, type Steps } from '@shoal/core';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import type { ChildBatch } from '../collector/bucket-collector.ts';
import { BucketCounts, BucketIds } from '../collector/bucket-ids.ts';
import { DocBatch } from '../collector/doc-batch.ts';
import { CodeBatch, type NumberBatch, pickNumbers } from '../values/batch-values.ts';
import { type BlockNumbers, SEVERAL_NUMBERS } from '../values/block-numbers.ts';
import type { DocCounts } from '../values/doc-counts.ts';
import type { KeyNumbers } from '../values/key-numbers.ts';
import { type FlatNumbers, NumberTally } from '../values/number-tally.ts';
import { countEach, followAll, parentsOf, toCells } from './bucket-cells.ts';

/** Cells of the table that leads from a parent and a number to a bucket. */
const CELLS_MAX = 1 << 22;
const UNKNOWN = -1;
const LEFT_OUT = -2;

/** Documents by the numbers of keys. */
export interface NumberedCounts {
  readonly numbers: KeyNumbers;
  readonly counts: Uint32Array;
}

export class KeyedBuckets {
  readonly ids: BucketIds;
  readonly counts: BucketCounts = new BucketCounts();
  private readonly children: ChildBatch;
  /** Numbers of this segment's keys; null: keys are looked up one by one. */
  private numbers: KeyNumbers | null = null;
  private isTop = false;
  private docCounts: DocCounts | null = null;
  /** Counts of documents by number in this segment, at the top without children. */
  private numbered = new NumberTally(0);
  /** Bucket of each parent and number in this segment, elsewhere; null: there are too many. */
  private bucketOf: Int32Array | null = null;
  private held: NumberedCounts | null = null;
  private readonly batch = new CodeBatch();
  private part: DocBatch | null = null;
  /** Counts by number in one bucket of the parent, not yet by bucket. */
  private alike = new NumberTally(0);
  /** That bucket; negative: nothing was counted. */
  private alikeParent = UNKNOWN;
  private buckets: Uint32Array = new Uint32Array(0);

  constructor(children: ChildBatch) {
    this.ids = new BucketIds(children.hashSecret);
    this.children = children;
  }

  get memoryBytes(): number {
    const { ids, counts, numbered, bucketOf, children } = this;
    const ofNumbers = numbered.memoryBytes + this.alike.memoryBytes + (this.held?.counts.byteLength ?? 0);
    const ofSegment = ofNumbers + (bucketOf?.byteLength ?? 0);
    return ids.memoryBytes + counts.memoryBytes + ofSegment + children.memoryBytes;
  }

  /** `numbers`: null where keys must be looked up. A key of NaN is no bucket. `docCounts`: null where each document counts as one. */
  enter(numbers: KeyNumbers | null, isTop: boolean, docCounts: DocCounts | null): void {
    this.numbers = numbers;
    this.isTop = isTop;
    this.docCounts = docCounts;
    const size = numbers?.size ?? 0;
    this.numbered = new NumberTally(this.countsByNumber ? size : 0);
    this.bucketOf = this.countsByNumber ? null : new Int32Array(size).fill(UNKNOWN);
  }

  private get countsByNumber(): boolean {
    return this.isTop && this.children.isEmpty && this.docCounts === null;
  }

  get isNumbered(): boolean {
    return this.numbers !== null;
  }

  /** Only where `isNumbered`. */
  collect(docs: DocBatch, parents: Uint32Array): void {
    const { numbers } = this;
    assert(numbers !== null, `${docs.count} documents whose keys are not numbered`);
    const { blocks = null } = numbers;
    const isByBlocks = blocks !== null && this.isTop && blocks.isFor(docs);
    if (this.countsByNumber) {
      if (isByBlocks) this.countBlocks(numbers, blocks, docs);
      else this.countRead(numbers, docs);
      return;
    }
    if (isByBlocks) this.placeRuns(numbers, blocks, docs, parents);
    else if (!this.isTop || !this.placeFlat(docs, 0)) this.placeRead(numbers, docs, parents);
  }

  /** Documents with their own numbers. */
  private placeRead(numbers: KeyNumbers, docs: DocBatch, parents: Uint32Array): void {
    numbers.read(docs, this.batch);
    this.place(numbers, docs, parents);
  }

  private placeRuns(numbers: KeyNumbers, blocks: BlockNumbers, docs: DocBatch, parents: Uint32Array): void {
    this.part ??= new DocBatch();
    const { part } = this;
    blocks.runs(docs, (from, to, number) => {
      part.setPart(docs, from, to);
      // At the top all have one parent.
      if (number === SEVERAL_NUMBERS) this.placeRead(numbers, part, parents);
      else this.placeAlike(numbers, part, number);
    });
  }

  private countRead(numbers: KeyNumbers, docs: DocBatch): void {
    const { batch, numbered } = this;
    const { flat = null } = numbers;
    if (flat !== null) {
      numbered.addFlat(flat, docs);
      return;
    }
    numbers.read(docs, batch);
    numbered.add(batch);
  }

  private countBlocks(numbers: KeyNumbers, blocks: BlockNumbers, docs: DocBatch): void {
    this.part ??= new DocBatch();
    const { part } = this;
    blocks.count(docs, this.numbered.counts, (from, to) => {
      part.setPart(docs, from, to);
      this.countRead(numbers, part);
    });
  }

  /** A batch whose documents are all in one bucket of the top. */
  private placeAlike(numbers: KeyNumbers, docs: DocBatch, number: number): void {
    const { children, counts, docCounts } = this;
    const { count } = docs;
    const table = this.tableOf(numbers.size, 1);
    const bucket = this.bucketOfNumber(numbers, table, { parent: 0, number });
    if (bucket === LEFT_OUT) return;
    if (docCounts === null) counts.add(bucket, count);
    else for (let i = 0; i < count; i++) counts.add(bucket, docCounts.at(docs.at(i)));
    if (!children.isEmpty) children.passAlike(docs, bucket);
  }

  /** Documents that are all in one bucket of the parent. */
  collectAlike(docs: DocBatch, parent: number, parents: Uint32Array): void {
    if (!this.placeFlat(docs, parent)) this.collect(docs, parents);
  }

  /** They are counted by number, and by bucket when another parent comes. False: they are few, or numbers are not at hand. */
  private placeFlat(docs: DocBatch, parent: number): boolean {
    const { numbers, batch, children, docCounts } = this;
    const { size, flat = null } = numbers ?? { size: Number.POSITIVE_INFINITY };
    const isFew = size <= docs.count && docCounts === null;
    const table = isFew ? this.tableOf(size, parent + 1) : null;
    if (numbers === null || !isFew || (!children.isEmpty && (flat === null || table === null))) return false;
    if (parent !== this.alikeParent || size !== this.alike.size) {
      this.settleAlike();
      this.alikeParent = parent;
      if (size !== this.alike.size) this.alike = new NumberTally(size);
    }
    if (flat !== null) this.alike.addFlat(flat, docs);
    else {
      numbers.read(docs, batch);
      this.alike.add(batch);
    }
    if (children.isEmpty || flat === null || table === null) return true;
    const bucketOf = (number: number): number => this.bucketOfNumber(numbers, table, { parent, number });
    if (!children.passNumbered(docs, { flat, size, bucketOf }))
      this.passFlat(flat, docs, table.subarray(parent * size));
    return true;
  }

  /** What was counted by number within one bucket of the parent is counted by bucket. */
  private settleAlike(): void {
    const { numbers, counts, alikeParent: parent } = this;
    if (numbers === null || parent < 0) return;
    const table = this.tableOf(numbers.size, parent + 1);
    this.alikeParent = UNKNOWN;
    this.alike.drain((number, count) => {
      const bucket = this.bucketOfNumber(numbers, table, { parent, number });
      if (bucket !== LEFT_OUT) counts.add(bucket, count);
    });
  }

  /** Hands documents that were counted on to the children. `bucketOf`: by number. */
  private passFlat(flat: FlatNumbers, docs: DocBatch, bucketOf: Int32Array): void {
    const { children } = this;
    const { count } = docs;
    if (this.buckets.length < count) this.buckets = new Uint32Array(BATCH_SIZE);
    const { buckets } = this;
    pickNumbers(flat, docs, buckets);
    let hasAll = followAll(buckets, count, bucketOf);
    if (!hasAll) {
      // Now each number of these documents has a bucket, or is left out.
      this.settleAlike();
      pickNumbers(flat, docs, buckets);
      hasAll = followAll(buckets, count, bucketOf);
    }
    if (hasAll) children.pass(docs, buckets);
    else {
      for (let i = 0; i < count; i++) {
        const bucket = (buckets[i] as number) | 0;
        if (bucket !== LEFT_OUT) children.push(docs.at(i), bucket);
      }
    }
  }

  private bucketOfNumber(
    numbers: KeyNumbers,
    table: Int32Array | null,
    { parent, number }: { readonly parent: number; readonly number: number },
  ): number {
    const cell = parent * numbers.size + number;
    const known = table?.[cell] ?? UNKNOWN;
    if (known !== UNKNOWN) return known;
    const bucket = this.bucketOfKey(parent, numbers.key(number));
    if (table !== null) table[cell] = bucket;
    return bucket;
  }

  /** Each document to its buckets, and on to the children. */
  private place(numbers: KeyNumbers, docs: DocBatch, parents: Uint32Array): void {
    const { batch, children } = this;
    const { length } = batch;
    if (this.buckets.length < batch.values.length) this.buckets = new Uint32Array(batch.values.length);
    const hasAll = this.findBuckets(numbers, parents);
    assert(length <= this.buckets.length, `${length} values for ${this.buckets.length} buckets`);
    if (this.docCounts === null) this.countBuckets(length, hasAll);
    else this.countWeighted(this.docCounts, docs);
    if (children.isEmpty) return;
    const { buckets } = this;
    if (hasAll && batch.isWhole) {
      children.pass(docs, buckets);
      return;
    }
    const { docs: list } = docs;
    const { positions } = batch;
    for (let k = 0; k < length; k++) {
      const bucket = buckets[k] as number;
      if (bucket !== NOWHERE) children.push(list[positions[k] as number] as number, bucket);
    }
  }

  private countBuckets(length: number, hasAll: boolean): void {
    this.counts.reserve(this.ids.count);
    const counts = this.counts.values;
    if (hasAll) countEach(this.buckets, length, counts);
    else {
      const { buckets } = this;
      for (let k = 0; k < length; k++) {
        const bucket = buckets[k] as number;
        if (bucket !== NOWHERE) counts[bucket] = (counts[bucket] as number) + 1;
      }
    }
  }

  private countWeighted(docCounts: DocCounts, { docs }: DocBatch): void {
    const { batch, buckets, counts } = this;
    const { positions, length } = batch;
    counts.reserve(this.ids.count);
    for (let k = 0; k < length; k++) {
      const bucket = buckets[k] as number;
      if (bucket !== NOWHERE) counts.add(bucket, docCounts.at(docs[positions[k] as number] as number));
    }
  }

  /** False: some are in no bucket. */
  private findBuckets(numbers: KeyNumbers, parents: Uint32Array): boolean {
    const { batch, buckets, isTop } = this;
    const { size } = numbers;
    const { length } = batch;
    // The cell of each document, then what stands there.
    const most = isTop ? 0 : parentsOf(batch, parents, buckets);
    const table = this.tableOf(size, most + 1);
    if (table === null) return this.lookUp(numbers, parents);
    if (isTop) buckets.set(length === batch.values.length ? batch.values : batch.values.subarray(0, length));
    else toCells(buckets, batch.values, length, size);
    const isKnown = followAll(buckets, length, table);
    return isKnown || this.makeMissing(numbers, parents, table);
  }

  /** Buckets of cells that were empty. */
  private makeMissing(numbers: KeyNumbers, parents: Uint32Array, table: Int32Array): boolean {
    const { batch, buckets, isTop } = this;
    const { positions, values, length } = batch;
    let hasAll = true;
    for (let k = 0; k < length; k++) {
      // What stands there is a bucket already.
      if (((buckets[k] as number) | 0) >= 0) continue;
      const number = values[k] as number;
      const parent = isTop ? 0 : (parents[positions[k] as number] as number);
      const cell = parent * numbers.size + number;
      if (table[cell] === UNKNOWN) table[cell] = this.bucketOfKey(parent, numbers.key(number));
      const bucket = table[cell] as number;
      if (bucket === LEFT_OUT) hasAll = false;
      buckets[k] = bucket === LEFT_OUT ? NOWHERE : bucket;
    }
    return hasAll;
  }

  /** Where there are too many cells for a table. */
  private lookUp(numbers: KeyNumbers, parents: Uint32Array): boolean {
    const { batch, buckets, isTop } = this;
    const { positions, values, length } = batch;
    let hasAll = true;
    for (let k = 0; k < length; k++) {
      const parent = isTop ? 0 : (parents[positions[k] as number] as number);
      const bucket = this.bucketOfKey(parent, numbers.key(values[k] as number));
      if (bucket === LEFT_OUT) hasAll = false;
      buckets[k] = bucket === LEFT_OUT ? NOWHERE : bucket;
    }
    return hasAll;
  }

  private bucketOfKey(parent: number, key: number): number {
    return Number.isNaN(key) ? LEFT_OUT : this.ids.idOf(parent, key);
  }

  /** With room for so many parents; null where that would be too large. */
  private tableOf(size: number, parentCount: number): Int32Array | null {
    const { bucketOf } = this;
    const cells = size * parentCount;
    if (bucketOf === null || cells <= bucketOf.length) return bucketOf;
    if (cells > CELLS_MAX) return (this.bucketOf = null);
    const grown = new Int32Array(Math.min(CELLS_MAX, Math.max(cells, bucketOf.length * 2))).fill(UNKNOWN);
    grown.set(bucketOf);
    return (this.bucketOf = grown);
  }

  /** One document whose key was made by the caller; `more`: counted beside it. */
  add(doc: number, parent: number, key: number, more = 0): void {
    const bucket = this.ids.idOf(parent, key);
    this.counts.add(bucket, more + (this.docCounts === null ? 1 : this.docCounts.at(doc)));
    if (!this.children.isEmpty) this.children.push(doc, bucket);
  }

  /** Values whose keys are themselves, looked up one by one; several of a document under one key count once, unless it `countsRepeats`. */
  addEach(
    docs: DocBatch,
    parents: Uint32Array,
    { positions, values, length }: NumberBatch,
    countsRepeats = false,
  ): void {
    const { docs: list } = docs;
    let lastAt = UNKNOWN;
    let lastKey = Number.NaN;
    for (let k = 0; k < length; k++) {
      const at = positions[k] as number;
      const key = values[k] as number;
      if (at === lastAt && key === lastKey && !countsRepeats) continue;
      lastAt = at;
      lastKey = key;
      this.add(list[at] as number, parents[at] as number, key);
    }
  }

  /** At the end of a segment: what was counted by number is counted by key; of the first one only when another needs it. */
  *leave(meter: StepMeter): Steps<void> {
    const { numbers, numbered } = this;
    if (numbers === null) return;
    this.settleAlike();
    if (this.countsByNumber) {
      const isFirst = this.ids.count === 0 && this.held === null;
      const counts = numbered.finish();
      if (isFirst) this.held = { numbers, counts };
      else {
        yield* this.settle(meter);
        yield* this.fold({ numbers, counts }, meter);
      }
    }
    this.enter(null, this.isTop, null);
  }

  /** Counts of the only segment, by number; null where there were others. */
  get only(): NumberedCounts | null {
    return this.ids.count === 0 ? this.held : null;
  }

  /** Before buckets are read. */
  *settle(meter: StepMeter): Steps<void> {
    const { held } = this;
    this.held = null;
    if (held !== null) yield* this.fold(held, meter);
  }

  private *fold({ numbers, counts }: NumberedCounts, meter: StepMeter): Steps<void> {
    for (let number = 0; number < counts.length; number++) {
      const count = counts[number] as number;
      if (meter.isDue(count === 0 ? 0.005 : 0.1)) yield;
      if (count === 0) continue;
      const key = numbers.key(number);
      if (!Number.isNaN(key)) this.counts.add(this.ids.idOf(0, key), count);
    }
  }
}

/** No bucket: more than there can be. */
const NOWHERE = 0xffff_ffff;

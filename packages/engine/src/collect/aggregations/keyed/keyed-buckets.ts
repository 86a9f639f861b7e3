/**
 * Counts of the buckets that keys make, at the top or below other buckets, with their children.
 *
 * Where a segment's keys can be numbered, a document costs a step or two of an array; else its key is looked up.
 */

import { assert, type StepMeter, type Steps } from '@shoal/core';
import type { ChildBatch } from '../collector/bucket-collector.ts';
import { BucketCounts, BucketIds } from '../collector/bucket-ids.ts';
import { DocBatch } from '../collector/doc-batch.ts';
import { CodeBatch, type NumberBatch } from '../values/batch-values.ts';
import { type BlockNumbers, SEVERAL_NUMBERS } from '../values/block-numbers.ts';
import type { DocCounts } from '../values/doc-counts.ts';
import type { KeyNumbers } from '../values/key-numbers.ts';

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
  private numbered = new Uint32Array(0);
  /** Bucket of each parent and number in this segment, elsewhere; null: there are too many. */
  private bucketOf: Int32Array | null = null;
  private held: NumberedCounts | null = null;
  private readonly batch = new CodeBatch();
  private part: DocBatch | null = null;
  /** Counts by number of one batch; all 0 between two. */
  private alike = new Uint32Array(0);
  private buckets: Uint32Array = new Uint32Array(0);

  constructor(children: ChildBatch) {
    this.ids = new BucketIds(children.hashSecret);
    this.children = children;
  }

  get memoryBytes(): number {
    const { ids, counts, numbered, bucketOf, children } = this;
    const ofSegment = numbered.byteLength + (bucketOf?.byteLength ?? 0) + (this.held?.counts.byteLength ?? 0);
    return ids.memoryBytes + counts.memoryBytes + ofSegment + children.memoryBytes;
  }

  /** `numbers`: null where keys must be looked up. A key of NaN is no bucket. `docCounts`: null where each document counts as one. */
  enter(numbers: KeyNumbers | null, isTop: boolean, docCounts: DocCounts | null): void {
    this.numbers = numbers;
    this.isTop = isTop;
    this.docCounts = docCounts;
    const size = numbers?.size ?? 0;
    this.numbered = new Uint32Array(this.countsByNumber ? size : 0);
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
    const alike = isByBlocks ? blocks.ofBatch(docs) : SEVERAL_NUMBERS;
    if (alike === SEVERAL_NUMBERS) {
      numbers.read(docs, this.batch);
      this.place(numbers, docs, parents);
    } else this.placeAlike(numbers, docs, alike);
  }

  private countRead(numbers: KeyNumbers, docs: DocBatch): void {
    const { batch, numbered } = this;
    numbers.read(docs, batch);
    countAll(batch, numbered);
  }

  private countBlocks(numbers: KeyNumbers, blocks: BlockNumbers, docs: DocBatch): void {
    this.part ??= new DocBatch();
    const { part } = this;
    blocks.count(docs, this.numbered, (from, to) => {
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

  /** Documents that are all in one bucket of the parent: they are counted by number, and then by bucket. */
  collectAlike(docs: DocBatch, parent: number, parents: Uint32Array): void {
    const { numbers, batch, children, docCounts, counts } = this;
    const size = numbers?.size ?? Number.POSITIVE_INFINITY;
    if (numbers === null || size > docs.count || !children.isEmpty || docCounts !== null) {
      this.collect(docs, parents);
      return;
    }
    if (this.alike.length < size) this.alike = new Uint32Array(size);
    const { alike } = this;
    numbers.read(docs, batch);
    countAll(batch, alike);
    const table = this.tableOf(size, parent + 1);
    for (let number = 0; number < size; number++) {
      const count = alike[number] as number;
      if (count === 0) continue;
      alike[number] = 0;
      const bucket = this.bucketOfNumber(numbers, table, { parent, number });
      if (bucket !== LEFT_OUT) counts.add(bucket, count);
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

  /** Buckets of cells that were empty, and those of the others once more. */
  private makeMissing(numbers: KeyNumbers, parents: Uint32Array, table: Int32Array): boolean {
    const { batch, buckets, isTop } = this;
    const { positions, values, length } = batch;
    let hasAll = true;
    for (let k = 0; k < length; k++) {
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

  /** Values whose keys are themselves, looked up one by one; several values of a document under one key count once. */
  /** @param countsRepeats equal values of a document are one occurrence each */
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
    if (this.countsByNumber) {
      const isFirst = this.ids.count === 0 && this.held === null;
      if (isFirst) this.held = { numbers, counts: numbered };
      else {
        yield* this.settle(meter);
        yield* this.fold({ numbers, counts: numbered }, meter);
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

function countAll({ values, length }: CodeBatch, counts: Uint32Array): void {
  for (let k = 0; k < length; k++) {
    const number = values[k] as number;
    counts[number] = (counts[number] as number) + 1;
  }
}

function countEach(buckets: Uint32Array, length: number, counts: Float64Array): void {
  for (let k = 0; k < length; k++) {
    const bucket = buckets[k] as number;
    counts[bucket] = (counts[bucket] as number) + 1;
  }
}

/** The parent of each value; returns the largest. */
function parentsOf({ positions, length, isWhole }: CodeBatch, parents: Uint32Array, into: Uint32Array): number {
  let most = 0;
  for (let k = 0; k < length; k++) {
    const parent = parents[isWhole ? k : (positions[k] as number)] as number;
    into[k] = parent;
    if (parent > most) most = parent;
  }
  return most;
}

/** Parents become the cells of their numbers. */
function toCells(parents: Uint32Array, numbers: Uint32Array, length: number, size: number): void {
  for (let k = 0; k < length; k++) parents[k] = (parents[k] as number) * size + (numbers[k] as number);
}

/** Cells become buckets; false when some are not made yet, or left out: then what is in `cells` means nothing. */
function followAll(cells: Uint32Array, length: number, table: Int32Array): boolean {
  let signs = 0;
  for (let k = 0; k < length; k++) {
    const bucket = table[cells[k] as number] as number;
    signs |= bucket;
    cells[k] = bucket;
  }
  return signs >= 0;
}

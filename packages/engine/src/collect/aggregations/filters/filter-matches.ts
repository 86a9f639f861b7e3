/**
 * Which documents of a batch a filter matches: by bits where it has them, else document by document.
 */

import { assert } from '@shoal/core';
import { BLOCK_DOCS } from '../../../format/reader/number-blocks.ts';
import type { SegmentView } from '../../../format/reader/segment-reader.ts';
import { wordsOf } from '../../../match/bits/doc-bits.ts';
import type { DocBits } from '../../../match/weight/doc-iterator.ts';
import { DocTest } from '../../../match/weight/doc-test.ts';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';
import type { Weight } from '../../../match/weight/weight.ts';
import type { DocBatch } from '../collector/doc-batch.ts';

/** Bits are made for all documents between the first and the last of a batch: so many for each at most. */
const SPREAD_MAX = 32;

export class FilterMatches {
  /** By position in the batch: 1 where it matches. */
  readonly marks: Uint8Array = new Uint8Array(BATCH_SIZE);
  private readonly weight: Weight;
  private test: DocTest | null = null;
  private bits: DocBits | null = null;
  private docCount = 0;
  private words = new Uint32Array(0);

  constructor(weight: Weight) {
    this.weight = weight;
  }

  enter(view: SegmentView): void {
    const scorer = this.weight.scorer(view);
    this.bits = scorer?.bits ?? null;
    this.test = scorer && new DocTest(scorer);
    this.docCount = view.segment.docCount;
  }

  /** Batches come in ascending order. */
  mark(batch: DocBatch): void {
    const { count } = batch;
    if (this.test === null) {
      this.marks.fill(0, 0, count);
      return;
    }
    const { docs } = batch;
    assert(count > 0 && count <= this.marks.length, `${count} documents for ${this.marks.length} marks`);
    const from = (docs[0] as number) & -BLOCK_DOCS;
    const to = Math.min(this.docCount, (docs[count - 1] as number) + 1);
    if (this.bits !== null && to - from <= BLOCK_DOCS + count * SPREAD_MAX) {
      this.markByBits(this.bits, from, to, docs, count);
    } else this.markEach(this.test, docs, count);
  }

  private markByBits(bits: DocBits, from: number, to: number, docs: Uint32Array, count: number): void {
    const wordCount = wordsOf(to - from);
    if (this.words.length < wordCount) this.words = new Uint32Array(Math.max(wordCount, 2 * this.words.length));
    const { words, marks } = this;
    bits.fill(words, 0, from, to);
    for (let i = 0; i < count; i++) {
      const at = (docs[i] as number) - from;
      marks[i] = ((words[at >>> 5] as number) >>> (at & 31)) & 1;
    }
  }

  private markEach(test: DocTest, docs: Uint32Array, count: number): void {
    const { marks } = this;
    for (let i = 0; i < count; i++) marks[i] = test.has(docs[i] as number) ? 1 : 0;
  }

  leave(): void {
    this.test = null;
    this.bits = null;
  }
}

/**
 * The documents that collectors are handed at once: listed, or one behind the other, which many columns are read faster by.
 */
import { assert } from '@shoal/core';
import { BATCH_SIZE } from '../../../match/weight/scorer.ts';

export class DocBatch {
  count = 0;
  /** The first of documents without gaps; -1: they are listed. */
  from = -1;
  private listed: Uint32Array = new Uint32Array(0);
  private readonly made = new Uint32Array(BATCH_SIZE);
  private isMade = false;

  /** `docs` ascend; one may stand there several times. Not to be changed while the batch is used. */
  setList(docs: Uint32Array, count: number): void {
    assert(count <= docs.length && count <= BATCH_SIZE, `a batch of ${count} documents, ${docs.length} are listed`);
    this.from = -1;
    this.count = count;
    this.listed = docs;
  }

  /** The documents from..to - 1, at most `BATCH_SIZE`. */
  setStretch(from: number, to: number): void {
    assert(from >= 0 && to >= from && to - from <= BATCH_SIZE, `a batch of the documents ${from}..${to}`);
    this.from = from;
    this.count = to - from;
    this.isMade = false;
  }

  /** The first `count` are the documents. */
  get docs(): Uint32Array {
    if (this.from < 0) return this.listed;
    if (!this.isMade) {
      for (let i = 0; i < this.count; i++) this.made[i] = this.from + i;
      this.isMade = true;
    }
    return this.made;
  }
}

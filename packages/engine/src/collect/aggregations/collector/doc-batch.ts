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

  /** The documents of another batch at from..to - 1. Not to be used longer than that one. */
  setPart(of: DocBatch, from: number, to: number): void {
    assert(from >= 0 && from <= to && to <= of.count, `the part ${from}..${to} of a batch of ${of.count} documents`);
    if (of.from >= 0) this.setStretch(of.from + from, of.from + to);
    else this.setList(of.docs.subarray(from, to), to - from);
  }

  /** The document at a position below `count`. */
  at(position: number): number {
    return this.from < 0 ? (this.listed[position] as number) : this.from + position;
  }

  /** First position from `at` on whose document is not below `doc`; `count` where all are. */
  positionOf(doc: number, at: number): number {
    const { count, from, listed } = this;
    if (from >= 0) return Math.min(count, Math.max(at, doc - from));
    let low = at;
    let step = 1;
    // It is mostly near.
    while (low + step < count && (listed[low + step] as number) < doc) {
      low += step;
      step *= 2;
    }
    let high = Math.min(count, low + step);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((listed[middle] as number) < doc) low = middle + 1;
      else high = middle;
    }
    return low;
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

/**
 * A set of a segment's documents, for queries that unite many postings lists.
 */
import { NO_MORE_DOCS } from '../segment/segment-reader.ts';
import type { DocIterator } from './scorer.ts';

export class DocBitset {
  readonly docCount: number;
  private readonly words: Uint32Array;

  constructor(docCount: number) {
    this.docCount = docCount;
    this.words = new Uint32Array((docCount + 31) >>> 5);
  }

  add(doc: number): void {
    this.words[doc >>> 5] = (this.words[doc >>> 5] as number) | (1 << (doc & 31));
  }

  addAll(docs: DocIterator): void {
    const { words } = this;
    for (let doc = docs.next(); doc !== NO_MORE_DOCS; doc = docs.next()) {
      words[doc >>> 5] = (words[doc >>> 5] as number) | (1 << (doc & 31));
    }
  }

  /** First member >= `doc`. */
  nextMember(doc: number): number {
    if (doc >= this.docCount) return NO_MORE_DOCS;
    const { words } = this;
    let index = doc >>> 5;
    let word = ((words[index] as number) >>> (doc & 31)) << (doc & 31);
    while (word === 0) {
      if (++index >= words.length) return NO_MORE_DOCS;
      word = words[index] as number;
    }
    return (index << 5) + 31 - Math.clz32(word & -word);
  }

  count(): number {
    let count = 0;
    for (let i = 0; i < this.words.length; i++) {
      let w = this.words[i] as number;
      w -= (w >>> 1) & 0x55555555;
      w = (w & 0x33333333) + ((w >>> 2) & 0x33333333);
      count += Math.imul((w + (w >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return count;
  }

  iterator(): DocIterator {
    return new BitsetIterator(this, this.count());
  }
}

class BitsetIterator implements DocIterator {
  doc = -1;
  readonly cost: number;
  private readonly bits: DocBitset;

  constructor(bits: DocBitset, cost: number) {
    this.bits = bits;
    this.cost = cost;
  }

  next(): number {
    return (this.doc = this.bits.nextMember(this.doc + 1));
  }

  advance(target: number): number {
    return (this.doc = this.bits.nextMember(target));
  }
}

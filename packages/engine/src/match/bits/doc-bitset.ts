/**
 * A set of a segment's documents, for queries that unite many postings lists.
 */
import { assert } from '@shoal/core';
import { NO_MORE_DOCS } from '../../format/reader/segment-reader.ts';
import type { DocBits, DocIterator } from '../weight/doc-iterator.ts';
import { countBits, wordsOf } from './doc-bits.ts';

export class DocBitset {
  readonly docCount: number;
  private readonly words: Uint32Array;

  constructor(docCount: number) {
    this.docCount = docCount;
    assert(docCount >= 0, `a set of ${docCount} documents`);
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
    return countBits(this.words, 0, this.words.length);
  }

  /** Copies the bits of the documents from..to - 1, with the contract of `DocBits.fill`. */
  copyWords(into: Uint32Array, at: number, from: number, to: number): void {
    const { words } = this;
    const first = from >>> 5;
    const count = wordsOf(to - from);
    for (let i = 0; i < count; i++) into[at + i] = words[first + i] as number;
  }

  iterator(): DocIterator {
    return new BitsetIterator(this, this.count());
  }
}

class BitsetIterator implements DocIterator, DocBits {
  doc = -1;
  readonly cost: number;
  private readonly members: DocBitset;

  constructor(members: DocBitset, cost: number) {
    assert(cost <= members.docCount, `${cost} members among ${members.docCount} documents`);
    this.members = members;
    this.cost = cost;
  }

  next(): number {
    return (this.doc = this.members.nextMember(this.doc + 1));
  }

  advance(target: number): number {
    return (this.doc = this.members.nextMember(target));
  }

  get bits(): DocBits {
    return this;
  }

  fill(words: Uint32Array, at: number, from: number, to: number): void {
    this.members.copyWords(words, at, from, to);
  }
}

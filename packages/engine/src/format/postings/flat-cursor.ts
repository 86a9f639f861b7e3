/**
 * Walks the postings of one term, a block at a time; frequencies and positions of a block are decoded only when asked for.
 */

import { NO_MORE_DOCS, type PostingsCursor } from '../reader/segment-reader.ts';
import { POSTINGS_BLOCK, sumDeltas, unpackBlock } from './packed-block.ts';
import { readPackedRun } from './packed-run.ts';
import { readPostingsList } from './postings-list.ts';
import type { PostingsSections } from './postings-sections.ts';
import { LIST_BLOCK, PACKED_UNIT_WORDS, POSITIONS_UNIT_BYTES } from './postings-writer.ts';

const NONE = new Uint32Array(0);
/** Sentinel of a block whose positions were not located yet. */
const UNKNOWN = -1;

export class FlatCursor implements PostingsCursor {
  doc = -1;
  cost = 0;
  private readonly sections: PostingsSections;
  /** First of the term's blocks in the block arrays as they are given; -1 for a short term. */
  private firstBlock = -1;
  private blockCount = 0;
  /** Start of a short term's list, in the lists as they are given. */
  private listAt = 0;
  private docs: Uint32Array = NONE;
  private freqs: Uint32Array = NONE;
  private block = -1;
  private blockSize = 0;
  private inBlock = 0;
  private areFreqsDecoded = false;
  /** Bytes that hold the packed positions of the block. */
  private positionsBytes: Uint8Array;
  private positionsAt = 0;
  private positionBits = 0;
  /** Positions of the block's documents before `positionsDoc`. */
  private positionsBefore = 0;
  private positionsDoc = 0;

  constructor(sections: PostingsSections, docFreq: number, firstBlock: number, listAt: number) {
    this.sections = sections;
    this.positionsBytes = sections.lists;
    this.begin(docFreq, firstBlock, listAt);
  }

  /** Stands before the first document of another term of the same field. */
  begin(docFreq: number, firstBlock: number, listAt: number): void {
    this.doc = -1;
    this.cost = docFreq;
    this.firstBlock = firstBlock;
    this.listAt = listAt;
    this.blockCount = Math.ceil(docFreq / POSTINGS_BLOCK);
    this.positionsBytes = this.sections.lists;
    this.block = -1;
    this.blockSize = 0;
    this.inBlock = 0;
    this.areFreqsDecoded = false;
    const room = Math.min(docFreq, POSTINGS_BLOCK);
    if (this.docs.length < room) this.docs = new Uint32Array(room);
  }

  /** A term of one document that is not in any section. */
  static ofOne(doc: number, freq: number): PostingsCursor {
    return new OneDocument(doc, freq);
  }

  get freq(): number {
    if (!this.areFreqsDecoded) this.decodeFreqs();
    return this.freqs[this.inBlock] as number;
  }

  next(): number {
    if (++this.inBlock < this.blockSize) return (this.doc = this.docs[this.inBlock] as number);
    if (this.block + 1 >= this.blockCount) return this.end();
    this.loadBlock(this.block + 1);
    return (this.doc = this.docs[0] as number);
  }

  advance(target: number): number {
    if (this.doc === NO_MORE_DOCS) return NO_MORE_DOCS;
    if (this.block < 0 || (this.docs[this.blockSize - 1] as number) < target) {
      const block = this.findBlock(target);
      if (block >= this.blockCount) return this.end();
      this.loadBlock(block);
    }
    // A few steps within a block are cheaper than a binary search.
    let i = this.inBlock;
    while (i < this.blockSize && (this.docs[i] as number) < target) i++;
    this.inBlock = i;
    if (i === this.blockSize) return this.end();
    return (this.doc = this.docs[i] as number);
  }

  private end(): number {
    this.inBlock = this.blockSize;
    this.block = this.blockCount;
    return (this.doc = NO_MORE_DOCS);
  }

  /** First block after the current one whose last doc is >= `target`. */
  private findBlock(target: number): number {
    if (this.firstBlock < 0) return this.block + 1;
    const lastDocs = this.sections.blockLastDocs;
    let low = this.block + 1;
    let high = this.blockCount;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((lastDocs[this.firstBlock + middle] as number) < target) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private loadBlock(block: number): void {
    this.block = block;
    this.blockSize = Math.min(POSTINGS_BLOCK, this.cost - block * POSTINGS_BLOCK);
    this.inBlock = 0;
    this.positionsDoc = 0;
    this.positionsBefore = 0;
    if (this.firstBlock < 0) {
      this.loadList(this.listAt, -1);
      return;
    }
    const { blockBits, blockData, blockLastDocs, packed, packedFrom, listsFrom, hasPositions } = this.sections;
    const at = this.firstBlock + block;
    const base = block === 0 ? -1 : (blockLastDocs[at - 1] as number);
    const bits = blockBits[at] as number;
    if (bits === LIST_BLOCK) {
      this.loadList((blockData[at] as number) - listsFrom, base);
      return;
    }
    unpackBlock(packed, (blockData[at] as number) * PACKED_UNIT_WORDS - packedFrom, bits & 0xff, this.docs);
    sumDeltas(this.docs, base);
    this.areFreqsDecoded = false;
    if (!hasPositions) return;
    // Found when they are asked for: most who read postings never do.
    this.positionsAt = UNKNOWN;
    this.positionBits = bits >>> 16;
  }

  private findPositions(): void {
    const { blockPositions, positions, positionsFrom } = this.sections.places;
    this.positionsBytes = positions;
    this.positionsAt = (blockPositions[this.firstBlock + this.block] as number) * POSITIONS_UNIT_BYTES - positionsFrom;
  }

  private loadList(at: number, base: number): void {
    const { lists, hasPositions } = this.sections;
    if (this.freqs.length < this.docs.length) this.freqs = new Uint32Array(this.docs.length);
    const end = readPostingsList(lists, at, { docs: this.docs, freqs: this.freqs, count: this.blockSize, base });
    this.areFreqsDecoded = true;
    if (!hasPositions) return;
    this.positionsBytes = lists;
    this.positionBits = lists[end] as number;
    this.positionsAt = end + 1;
  }

  private decodeFreqs(): void {
    this.areFreqsDecoded = true;
    if (this.freqs.length < this.docs.length) this.freqs = new Uint32Array(this.docs.length);
    const { freqs, sections } = this;
    if (!sections.hasFreqs) {
      freqs.fill(1);
      return;
    }
    const at = this.firstBlock + this.block;
    const bits = sections.blockBits[at] as number;
    const start = ((sections.blockData[at] as number) + (bits & 0xff)) * PACKED_UNIT_WORDS - sections.packedFrom;
    unpackBlock(sections.packed, start, (bits >>> 8) & 0xff, freqs);
    for (let i = 0; i < POSTINGS_BLOCK; i++) freqs[i] = (freqs[i] as number) + 1;
  }

  positions(into: Uint32Array): number {
    const { freq } = this;
    if (!this.sections.hasPositions) return 0;
    if (this.positionsAt === UNKNOWN) this.findPositions();
    let before = this.positionsBefore;
    for (let i = this.positionsDoc; i < this.inBlock; i++) before += this.freqs[i] as number;
    // Stays at the start of this document, so that positions may be asked for twice.
    this.positionsBefore = before;
    this.positionsDoc = this.inBlock;
    const { positionsBytes, positionsAt, positionBits } = this;
    for (let i = 0; i < freq; i++) into[i] = readPackedRun(positionsBytes, positionsAt, positionBits, before + i);
    return freq;
  }
}

class OneDocument implements PostingsCursor {
  doc = -1;
  readonly cost = 1;
  readonly freq: number;
  private readonly only: number;

  constructor(only: number, freq: number) {
    this.only = only;
    this.freq = freq;
  }

  next(): number {
    return (this.doc = this.doc < 0 ? this.only : NO_MORE_DOCS);
  }

  advance(target: number): number {
    return (this.doc = this.doc < 0 && target <= this.only ? this.only : NO_MORE_DOCS);
  }

  positions(): number {
    return 0;
  }
}

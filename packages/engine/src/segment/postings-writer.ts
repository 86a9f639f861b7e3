/**
 * Writes the inverted index of one field: terms in byte order, each with its documents, frequencies and positions.
 *
 * Layout of a term's postings. One document: nothing but its number in the term's column. Else blocks of 128: deltas of
 * docs as varints, then frequencies (one 0 byte when all are 1, else a 1 byte and varints). More than one block: block
 * table in front (last doc, end of the block's bytes, start of its positions, each u32), so that a cursor can skip.
 * Positions stand apart, deltas within a document as varints.
 */
import { assert, ByteSink } from '@shoal/core';
import { GrowableU32 } from '../bytes/growable-arrays.ts';
import { type ContainerWriter, type SectionRef, writeSectionRef } from './segment-container.ts';

export const POSTINGS_BLOCK = 128;
/** Bytes of one entry of the block table. */
export const BLOCK_ENTRY_BYTES = 12;

export interface PostingsShape {
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  /** false: the terms are only the values of a column. */
  readonly hasPostings: boolean;
}

export class PostingsWriter {
  private readonly shape: PostingsShape;
  private readonly termBytes = new ByteSink(1 << 12);
  private readonly termStarts = new GrowableU32();
  private readonly docFreqs = new GrowableU32();
  private readonly totalTermFreqs = new GrowableU32();
  private readonly postingsAt = new GrowableU32();
  private readonly positionsAt = new GrowableU32();
  private readonly postings = new ByteSink(1 << 12);
  private readonly positions = new ByteSink(1 << 12);
  /** Blocks of the current term, and their table. */
  private readonly blocks = new ByteSink(1 << 10);
  private readonly blockTable = new GrowableU32();
  private readonly docs = new Uint32Array(POSTINGS_BLOCK);
  private readonly freqs = new Uint32Array(POSTINGS_BLOCK);
  private inBlock = 0;
  private blockPositionsAt = 0;
  private docFreq = 0;
  private totalTermFreq = 0;
  private lastDoc = -1;
  private blockBase = 0;
  private sumDocFreq = 0;
  private sumTotalTermFreq = 0;

  constructor(shape: PostingsShape) {
    this.shape = shape;
  }

  get termCount(): number {
    return this.docFreqs.length;
  }

  /** Terms are given in byte order, each once. */
  beginTerm(term: Uint8Array): void {
    this.termStarts.push(this.termBytes.length);
    this.termBytes.raw(term);
    this.positionsAt.push(this.positions.length);
    this.blockPositionsAt = this.positions.length;
    this.docFreq = 0;
    this.totalTermFreq = 0;
    this.inBlock = 0;
    this.lastDoc = -1;
    this.blockBase = 0;
    this.blocks.length = 0;
    this.blockTable.length = 0;
  }

  /** Docs ascend. `positions[from .. from + freq)` ascend too; ignored when the field has none. */
  addDoc(doc: number, freq: number, positions: Uint32Array, from: number): void {
    assert(doc > this.lastDoc, `doc ${doc} after ${this.lastDoc}`);
    this.docs[this.inBlock] = doc;
    this.freqs[this.inBlock] = freq;
    this.lastDoc = doc;
    this.docFreq++;
    this.totalTermFreq += freq;
    if (this.shape.hasPositions) {
      let last = 0;
      for (let i = from; i < from + freq; i++) {
        const position = positions[i] as number;
        this.positions.varint(position - last);
        last = position;
      }
    }
    if (++this.inBlock === POSTINGS_BLOCK) this.endBlock();
  }

  endTerm(): void {
    assert(this.docFreq > 0 || !this.shape.hasPostings, 'a term without documents');
    const isSingle = this.docFreq === 1;
    if (isSingle) this.inBlock = 0;
    else if (this.inBlock > 0) this.endBlock();
    this.docFreqs.push(this.docFreq);
    this.totalTermFreqs.push(this.totalTermFreq);
    this.postingsAt.push(isSingle ? this.lastDoc : this.postings.length);
    if (!isSingle) {
      if (this.docFreq > POSTINGS_BLOCK)
        for (let i = 0; i < this.blockTable.length; i++) this.postings.u32(this.blockTable.at(i));
      this.postings.raw(this.blocks.written());
    }
    this.sumDocFreq += this.docFreq;
    this.sumTotalTermFreq += this.totalTermFreq;
  }

  private endBlock(): void {
    let last = this.blockBase;
    let areOnes = true;
    for (let i = 0; i < this.inBlock; i++) {
      const doc = this.docs[i] as number;
      this.blocks.varint(doc - last);
      last = doc;
      if (this.freqs[i] !== 1) areOnes = false;
    }
    if (this.shape.hasFreqs) {
      this.blocks.u8(areOnes ? 0 : 1);
      if (!areOnes) for (let i = 0; i < this.inBlock; i++) this.blocks.varint(this.freqs[i] as number);
    }
    this.blockTable.push(last);
    this.blockTable.push(this.blocks.length);
    this.blockTable.push(this.blockPositionsAt);
    this.blockBase = last;
    this.blockPositionsAt = this.positions.length;
    this.inBlock = 0;
  }

  /** Writes sections into `into` and their places into `directory`. `docCount`: documents with a term of the field. */
  finish(into: ContainerWriter, directory: ByteSink, docCount: number): void {
    this.termStarts.push(this.termBytes.length);
    const { hasFreqs, hasPositions, hasPostings } = this.shape;
    directory.u8((hasFreqs ? 1 : 0) | (hasPositions ? 2 : 0) | (hasPostings ? 4 : 0));
    directory.u32(this.termCount);
    directory.u32(docCount);
    directory.f64(this.sumTotalTermFreq);
    directory.f64(this.sumDocFreq);
    const sections: SectionRef[] = [into.section(this.termStarts.view()), into.section(this.termBytes.written())];
    if (hasPostings) {
      sections.push(into.section(this.docFreqs.view()), into.section(this.postingsAt.view()));
      sections.push(into.section(this.postings.written()));
      if (hasFreqs) sections.push(into.section(this.totalTermFreqs.view()));
      if (hasPositions) sections.push(into.section(this.positionsAt.view()), into.section(this.positions.written()));
    }
    for (const section of sections) writeSectionRef(directory, section);
  }
}

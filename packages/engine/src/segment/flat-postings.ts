/**
 * Reads what `PostingsWriter` wrote: the term dictionary of a field and cursors over its postings.
 */
import { compareBytes } from '../bytes/compare-bytes.ts';
import { BLOCK_ENTRY_BYTES, POSTINGS_BLOCK } from './postings-writer.ts';
import { type ContainerReader, u32View } from './segment-container.ts';
import { type FieldStats, NO_MORE_DOCS, type PostingsCursor, type TermDictionary } from './segment-reader.ts';

const NONE = new Uint32Array(0);
const NO_BYTES = new Uint8Array(0);

/** Terms of a field; postings only when `hasPostings`. */
export class FlatTerms implements TermDictionary {
  readonly size: number;
  readonly stats: FieldStats;
  readonly hasFreqs: boolean;
  readonly hasPositions: boolean;
  readonly hasPostings: boolean;
  private readonly termStarts: Uint32Array;
  private readonly termBytes: Uint8Array;
  private readonly docFreqs: Uint32Array = NONE;
  private readonly postingsAt: Uint32Array = NONE;
  private readonly totalTermFreqs: Uint32Array = NONE;
  private readonly positionsAt: Uint32Array = NONE;
  private readonly postingsBytes: Uint8Array = NO_BYTES;
  private readonly positionsBytes: Uint8Array = NO_BYTES;

  constructor(from: ContainerReader) {
    const flags = from.directory.u8();
    this.hasFreqs = (flags & 1) !== 0;
    this.hasPositions = (flags & 2) !== 0;
    this.hasPostings = (flags & 4) !== 0;
    this.size = from.directory.u32();
    const docCount = from.directory.u32();
    const sumTotalTermFreq = from.directory.f64();
    this.stats = { docCount, sumTotalTermFreq, sumDocFreq: from.directory.f64() };
    this.termStarts = u32View(from.section());
    this.termBytes = from.section();
    if (!this.hasPostings) return;
    this.docFreqs = u32View(from.section());
    this.postingsAt = u32View(from.section());
    this.postingsBytes = from.section();
    if (this.hasFreqs) this.totalTermFreqs = u32View(from.section());
    if (this.hasPositions) {
      this.positionsAt = u32View(from.section());
      this.positionsBytes = from.section();
    }
  }

  find(term: Uint8Array): number {
    const ordinal = this.ceiling(term);
    if (ordinal === this.size) return -1;
    const from = this.termStarts[ordinal] as number;
    return compareBytes(this.termBytes, from, this.termStarts[ordinal + 1] as number, term) === 0 ? ordinal : -1;
  }

  ceiling(term: Uint8Array): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const from = this.termStarts[middle] as number;
      const to = this.termStarts[middle + 1] as number;
      if (compareBytes(this.termBytes, from, to, term) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  term(ordinal: number): Uint8Array {
    return this.termBytes.subarray(this.termStarts[ordinal], this.termStarts[ordinal + 1]);
  }

  docFreq(ordinal: number): number {
    return this.docFreqs[ordinal] as number;
  }

  totalTermFreq(ordinal: number): number {
    return (this.hasFreqs ? this.totalTermFreqs[ordinal] : this.docFreqs[ordinal]) as number;
  }

  postings(ordinal: number): PostingsCursor {
    return new FlatCursor(
      this.docFreq(ordinal),
      this.totalTermFreq(ordinal),
      this.postingsAt[ordinal] as number,
      this.hasFreqs,
      this.postingsBytes,
      this.positionsBytes,
      this.hasPositions ? (this.positionsAt[ordinal] as number) : -1,
    );
  }
}

/** One block is decoded at a time; frequencies of it only when asked for. */
class FlatCursor implements PostingsCursor {
  doc = -1;
  readonly cost: number;
  private readonly hasFreqs: boolean;
  private readonly bytes: Uint8Array;
  private readonly positionsBytes: Uint8Array;
  /** Start of the block table, and of the blocks behind it. */
  private readonly tableAt: number;
  private readonly blocksAt: number;
  private readonly blockCount: number;
  private readonly table: DataView;
  private readonly docs: Uint32Array;
  private freqs: Uint32Array = NONE;
  private block = -1;
  private blockSize = 0;
  private inBlock = 0;
  /** Where the frequencies of the block start; -1 once decoded. */
  private freqsAt = -1;
  /** Positions: byte where those of document `positionsDoc` of the block start. -1 without positions. */
  private positionsAt: number;
  private positionsDoc = 0;

  constructor(
    docFreq: number,
    totalTermFreq: number,
    at: number,
    hasFreqs: boolean,
    bytes: Uint8Array,
    positionsBytes: Uint8Array,
    positionsAt: number,
  ) {
    this.cost = docFreq;
    this.hasFreqs = hasFreqs;
    this.bytes = bytes;
    this.positionsBytes = positionsBytes;
    this.positionsAt = positionsAt;
    this.blockCount = Math.ceil(docFreq / POSTINGS_BLOCK);
    this.tableAt = at;
    this.blocksAt = at + (this.blockCount > 1 ? this.blockCount * BLOCK_ENTRY_BYTES : 0);
    this.table = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.docs = new Uint32Array(Math.min(docFreq, POSTINGS_BLOCK));
    if (docFreq === 1) {
      // The term's column holds the document itself, and all its occurrences are this document's.
      this.docs[0] = at;
      this.freqs = new Uint32Array([totalTermFreq]);
      this.block = 0;
      this.blockSize = 1;
      this.inBlock = -1;
    }
  }

  get freq(): number {
    if (!this.hasFreqs) return 1;
    if (this.freqsAt >= 0) this.decodeFreqs();
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
    if (this.block < 0 || this.blockSize === 0 || (this.docs[this.blockSize - 1] as number) < target) {
      const block = this.findBlock(target);
      if (block >= this.blockCount) return this.end();
      this.loadBlock(block);
    } else if (this.inBlock < 0) {
      this.inBlock = 0;
    }
    // Few steps within a block are cheaper than a search for the place.
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
    if (this.blockCount === 1) return this.block < 0 ? 0 : 1;
    let low = this.block + 1;
    let high = this.blockCount;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.table.getUint32(this.tableAt + middle * BLOCK_ENTRY_BYTES, true) < target) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private loadBlock(block: number): void {
    const isTabled = this.blockCount > 1;
    const before = this.tableAt + (block - 1) * BLOCK_ENTRY_BYTES;
    let last = block > 0 ? this.table.getUint32(before, true) : 0;
    let at = this.blocksAt + (block > 0 ? this.table.getUint32(before + 4, true) : 0);
    this.block = block;
    this.blockSize = Math.min(POSTINGS_BLOCK, this.cost - block * POSTINGS_BLOCK);
    this.inBlock = 0;
    const { bytes, docs, blockSize } = this;
    for (let i = 0; i < blockSize; i++) {
      let byte = bytes[at++] as number;
      let delta = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++] as number;
        delta |= (byte & 0x7f) << shift;
      }
      last += delta;
      docs[i] = last;
    }
    this.freqsAt = at;
    if (this.positionsAt >= 0) {
      this.positionsDoc = 0;
      if (isTabled) this.positionsAt = this.table.getUint32(this.tableAt + block * BLOCK_ENTRY_BYTES + 8, true);
    }
  }

  private decodeFreqs(): void {
    let at = this.freqsAt;
    this.freqsAt = -1;
    if (this.freqs.length < this.docs.length) this.freqs = new Uint32Array(this.docs.length);
    if (this.bytes[at++] === 0) {
      this.freqs.fill(1);
      return;
    }
    for (let i = 0; i < this.blockSize; i++) {
      let byte = this.bytes[at++] as number;
      let freq = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = this.bytes[at++] as number;
        freq |= (byte & 0x7f) << shift;
      }
      this.freqs[i] = freq;
    }
  }

  positions(into: Uint32Array): number {
    const freq = this.freq;
    if (this.positionsAt < 0) return 0;
    const bytes = this.positionsBytes;
    let at = this.positionsAt;
    let skip = 0;
    for (let i = this.positionsDoc; i < this.inBlock; i++) skip += this.freqs[i] as number;
    while (skip > 0) if ((bytes[at++] as number) < 0x80) skip--;
    // Stays at the start of this document, so that positions may be asked for twice.
    this.positionsAt = at;
    this.positionsDoc = this.inBlock;
    let last = 0;
    for (let i = 0; i < freq; i++) {
      let byte = bytes[at++] as number;
      let delta = byte & 0x7f;
      for (let shift = 7; byte > 0x7f; shift += 7) {
        byte = bytes[at++] as number;
        delta |= (byte & 0x7f) << shift;
      }
      last += delta;
      into[i] = last;
    }
    return freq;
  }
}

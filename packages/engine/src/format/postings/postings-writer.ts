/**
 * Writes the inverted index of one field: terms in byte order, each with its documents, frequencies and positions.
 *
 * A term of fewer than 128 documents is a list of varints (`postings-list.ts`); a term of one document without positions is
 * nothing but that document's number. Longer terms are blocks of 128, bit-packed, with what is needed to skip them in
 * arrays of their own, and a list for the rest; see docs/segment-format.md.
 *
 * This is the plain form of what the kernels of packages/engine/kernels/postings/postings-kernels.ts do: it runs where there are none,
 * and they are tested against it.
 */

import { assert, ByteSink } from '@shoal/core';
import { GrowableU32 } from '../../bytes/growable-arrays.ts';
import { PieceReader } from '../../bytes/piece-reader.ts';
import { NO_NORM } from '../../bytes/small-float.ts';
import type { SpillFile, SpillStream } from '../../bytes/spill-file.ts';
import type { StreamBytes } from '../../bytes/stream-bytes.ts';
import type { PartSink } from '../container/part-sink.ts';
import { ImpactFrontier } from './impact-frontier.ts';
import { bitWidth, POSTINGS_BLOCK, packBlock } from './packed-block.ts';
import { writePackedRun } from './packed-run.ts';
import { writePostingsList } from './postings-list.ts';
import {
  finishPostings,
  POSTINGS_STREAMS,
  type PostingsShape,
  type PostingsStream,
  type WrittenPostings,
} from './written-postings.ts';

/** In the bits of a block: its postings are a list. */
export const LIST_BLOCK = 255;

/** Words in a unit of a packed block's offset: blocks are multiples of 16 bytes. */
export const PACKED_UNIT_WORDS = 4;

/** Bytes in a unit of a block's offset among the positions. */
export const POSITIONS_UNIT_BYTES = 4;

const WORDS_MIN = 1 << 10;

const WORD_BYTES = 4;

const NORM_MAX = 255;

export class PostingsWriter implements WrittenPostings {
  termCount = 0;
  private readonly shape: PostingsShape;
  /** Streams that take what was written; null: it stays here. */
  private readonly spilled: ReadonlyMap<PostingsStream, SpillStream> | null;
  /** Bytes of all streams that are worth to be spilled. */
  private readonly spilledBytesMin: number;
  /** What was spilled: offsets in the segment count from there on. */
  private readonly before = { termBytes: 0, lists: 0, blocks: 0, packedWords: 0, impacts: 0, positions: 0 };
  /** Norm byte of each document, for the impacts; null where the field has none. */
  private readonly norms: Uint8Array | null;
  private readonly termBytes = new ByteSink(1 << 12);
  private readonly termStarts = new GrowableU32();
  private readonly docFreqs = new GrowableU32();
  private readonly totalTermFreqs = new GrowableU32();
  private readonly postingsAt = new GrowableU32();
  private readonly lists = new ByteSink(1 << 12);
  private readonly blockLastDocs = new GrowableU32();
  private readonly blockData = new GrowableU32();
  private readonly blockBits = new GrowableU32();
  private readonly blockPositions = new GrowableU32();
  private readonly blockImpacts = new GrowableU32();
  private readonly impacts = new GrowableU32();
  private readonly positions = new ByteSink(1 << 12);
  private readonly frontier = new ImpactFrontier();
  private packed: Uint32Array = new Uint32Array(WORDS_MIN);
  private packedWords = 0;
  private readonly docs = new Uint32Array(POSTINGS_BLOCK);
  private readonly freqs = new Uint32Array(POSTINGS_BLOCK);
  private readonly numbers = new Uint32Array(POSTINGS_BLOCK);
  private readonly pendingPositions = new GrowableU32();
  private inBlock = 0;
  private docFreq = 0;
  private totalTermFreq = 0;
  /** Last document of the block before; -1 in the first. */
  private base = -1;
  private lastDoc = -1;
  private firstBlock = 0;
  private sumDocFreq = 0;
  private sumTotalTermFreq = 0;
  /** Length of every term, in bytes; 0: they differ, or there are none. */
  private termLength = 0;
  private normMin = NO_NORM;
  private normMax = NO_NORM;

  /** `spill`: takes what was written whenever `spill` is called; null: all of it stays in memory. */
  constructor(shape: PostingsShape, norms: Uint8Array | null, spill: SpillFile | null = null) {
    this.shape = shape;
    this.spilledBytesMin = spill?.pieceMax ?? Number.POSITIVE_INFINITY;
    this.spilled = spill && new Map(POSTINGS_STREAMS.map((stream) => [stream, spill.begin()]));
    this.norms = norms;
    if (norms !== null) {
      this.normMin = NORM_MAX;
      this.normMax = 0;
    }
  }

  private heldBytes(stream: PostingsStream): number {
    if (stream === 'packed') return this.packedWords * WORD_BYTES;
    const buffer = this[stream];
    return buffer instanceof ByteSink ? buffer.length : buffer.length * WORD_BYTES;
  }

  /** Moves what was written so far to where it waits for its segment, when that is much. */
  spill(): void {
    const { spilled } = this;
    if (spilled === null) return;
    let held = 0;
    for (const stream of POSTINGS_STREAMS) held += this.heldBytes(stream);
    if (held < this.spilledBytesMin) return;
    const { before } = this;
    assert(
      spilled.get('termBytes')?.length === before.termBytes,
      `${before.termBytes} bytes of terms were spilled, ${spilled.get('termBytes')?.length} are there`,
    );
    before.termBytes += this.termBytes.length;
    before.lists += this.lists.length;
    before.blocks += this.blockBits.length;
    before.packedWords += this.packedWords;
    before.impacts += this.impacts.length;
    before.positions += this.positions.length;
    for (const [stream, into] of spilled) {
      into.raw(this.written(stream));
      this.clear(stream);
    }
  }

  /** Empties a buffer, and clears it: packed numbers are written bit by bit over zeros. */
  private clear(stream: PostingsStream): void {
    if (stream === 'packed') {
      this.packed.fill(0, 0, this.packedWords);
      this.packedWords = 0;
      return;
    }
    const buffer = this[stream];
    if (buffer instanceof ByteSink) buffer.bytes.fill(0);
    buffer.length = 0;
  }

  /** The term `bytes[from..to)`. Terms are given in byte order, each once. */
  beginTerm(bytes: Uint8Array, from = 0, to: number = bytes.length): void {
    const { termBytes, before } = this;
    this.termStarts.push(before.termBytes + termBytes.length);
    this.noteLength(to - from);
    termBytes.reserve(to - from);
    // Terms are short: a copy of a few bytes is over before a bulk one has begun.
    for (let i = from; i < to; i++) termBytes.bytes[termBytes.length++] = bytes[i] as number;
    this.docFreq = 0;
    this.totalTermFreq = 0;
    this.inBlock = 0;
    this.base = -1;
    this.lastDoc = -1;
    this.firstBlock = before.blocks + this.blockBits.length;
    this.pendingPositions.length = 0;
  }

  /** Length that all terms have, such as generated ids; 0 once two differ. */
  private noteLength(length: number): void {
    if (this.termCount === 0) this.termLength = length;
    else if (this.termLength !== length) this.termLength = 0;
  }

  /** Docs ascend. `positions[from .. from + freq)` ascend too; ignored when the field has none. */
  addDoc(doc: number, freq: number, positions: Uint32Array, from: number): void {
    // Evaluated first: the message is built at each call.
    if (doc <= this.lastDoc) assert(false, `doc ${doc} after ${this.lastDoc}`);
    this.docs[this.inBlock] = doc;
    this.freqs[this.inBlock] = freq;
    this.lastDoc = doc;
    this.docFreq++;
    this.totalTermFreq += freq;
    if (this.shape.hasPositions) {
      this.pendingPositions.append(positions, from, from + freq);
    }
    if (++this.inBlock === POSTINGS_BLOCK) this.endBlock();
  }

  endTerm(): void {
    assert(this.docFreq > 0 || !this.shape.hasPostings, 'a term without documents');
    this.termCount++;
    this.docFreqs.push(this.docFreq);
    this.totalTermFreqs.push(this.totalTermFreq);
    this.sumDocFreq += this.docFreq;
    this.sumTotalTermFreq += this.totalTermFreq;
    if (this.docFreq >= POSTINGS_BLOCK) {
      this.postingsAt.push(this.firstBlock);
      if (this.inBlock > 0) this.endWithList();
    } else if (this.docFreq === 1 && !this.shape.hasPositions) {
      this.postingsAt.push(this.lastDoc);
      this.noteNorms();
    } else {
      this.postingsAt.push(this.before.lists + this.lists.length);
      if (this.docFreq > 0) this.writeList();
      this.noteNorms();
    }
  }

  private endBlock(): void {
    const { docs, freqs, numbers, shape } = this;
    let last = this.base;
    let union = 0;
    for (let i = 0; i < POSTINGS_BLOCK; i++) {
      const doc = docs[i] as number;
      numbers[i] = doc - last;
      union |= doc - last;
      last = doc;
    }
    const docBits = bitWidth(union);
    this.blockLastDocs.push(last);
    this.blockData.push((this.before.packedWords + this.packedWords) / PACKED_UNIT_WORDS);
    this.pack(docBits);
    let freqBits = 0;
    if (shape.hasFreqs) {
      union = 0;
      for (let i = 0; i < POSTINGS_BLOCK; i++) {
        numbers[i] = (freqs[i] as number) - 1;
        union |= numbers[i] as number;
      }
      freqBits = bitWidth(union);
      this.pack(freqBits);
    }
    const positionBits = shape.hasPositions ? this.endPositions() : 0;
    this.blockBits.push(docBits | (freqBits << 8) | (positionBits << 16));
    this.endImpacts();
    this.base = last;
    this.inBlock = 0;
  }

  private pack(bits: number): void {
    const end = this.packedWords + bits * PACKED_UNIT_WORDS;
    if (end > this.packed.length) {
      const grown = new Uint32Array(Math.max(this.packed.length * 2, end));
      grown.set(this.packed);
      this.packed = grown;
    }
    packBlock(this.numbers, bits, this.packed, this.packedWords);
    this.packedWords = end;
  }

  /** Writes the positions of the block; returns their width. */
  private endPositions(): number {
    const before = this.before.positions;
    while ((before + this.positions.length) % POSITIONS_UNIT_BYTES !== 0) this.positions.u8(0);
    this.blockPositions.push((before + this.positions.length) / POSITIONS_UNIT_BYTES);
    const bits = positionWidth(this.pendingPositions);
    writePackedRun(this.pendingPositions.values, this.pendingPositions.length, bits, this.positions);
    this.pendingPositions.length = 0;
    return bits;
  }

  /** The last documents of a long term: a block whose postings are a list. */
  private endWithList(): void {
    this.blockLastDocs.push(this.lastDoc);
    this.blockData.push(this.before.lists + this.lists.length);
    this.blockBits.push(LIST_BLOCK);
    if (this.shape.hasPositions) this.blockPositions.push(0);
    this.endImpacts();
    this.writeList();
  }

  private writeList(): void {
    const { docs, freqs, inBlock, base, shape } = this;
    writePostingsList({ docs, freqs, count: inBlock, base }, this.lists);
    if (!shape.hasPositions) return;
    const bits = positionWidth(this.pendingPositions);
    this.lists.u8(bits);
    writePackedRun(this.pendingPositions.values, this.pendingPositions.length, bits, this.lists);
  }

  private noteNorms(): void {
    const { norms } = this;
    if (norms === null) return;
    for (let i = 0; i < this.inBlock; i++) {
      const norm = norms[this.docs[i] as number] as number;
      if (norm < this.normMin) this.normMin = norm;
      if (norm > this.normMax) this.normMax = norm;
    }
  }

  private endImpacts(): void {
    this.noteNorms();
    if (!this.shape.hasFreqs) return;
    const { norms, docs, freqs, frontier, impacts } = this;
    this.blockImpacts.push(this.before.impacts + impacts.length);
    for (let i = 0; i < this.inBlock; i++) {
      frontier.add(freqs[i] as number, norms === null ? NO_NORM : (norms[docs[i] as number] as number));
    }
    for (const pair of frontier.take()) impacts.push(pair);
  }

  *finish(into: PartSink, docCount: number): Generator<void, void> {
    const { shape, termCount, sumTotalTermFreq, sumDocFreq, normMin, normMax, termLength, spilled } = this;
    if (spilled !== null) for (const [stream, into] of spilled) into.raw(this.written(stream));
    const stream = (name: PostingsStream): StreamBytes => spilled?.get(name) ?? new PieceReader([this.written(name)]);
    const release = (name: PostingsStream): void => spilled?.get(name)?.release();
    const counts = { termCount, sumTotalTermFreq, sumDocFreq, normMin, normMax, termLength };
    yield* finishPostings({ shape, ...counts, stream, release }, into, docCount);
    for (const name of POSTINGS_STREAMS) release(name);
  }

  private written(stream: PostingsStream): Uint8Array {
    if (stream === 'packed') return bytesOf(this.packed.subarray(0, this.packedWords));
    const buffer = this[stream];
    return buffer instanceof ByteSink ? buffer.written() : bytesOf(buffer.view());
  }
}

function bytesOf(words: Uint32Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

function positionWidth(positions: GrowableU32): number {
  let union = 0;
  for (let i = 0; i < positions.length; i++) union |= positions.values[i] as number;
  return bitWidth(union);
}

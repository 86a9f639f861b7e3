/**
 * Stored `_source`: blocks of some documents, deflated, found by two small tables.
 *
 * Documents are compressed as they come in, so that a refresh has nothing left to do but the last block.
 */

import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ByteSink } from '@shoal/core';
import { GrowableU32 } from '../bytes/growable-arrays.ts';
import { type ContainerReader, type ContainerWriter, u32View, writeSectionRef } from './segment-container.ts';

/** A block is closed when it holds this much: larger compresses better, smaller is read faster. */
const BLOCK_BYTES = 24 * 1024;
const BLOCK_BYTES_MAX = 0xffff_ffff;
/** Decoded blocks kept a segment. */
const CACHED_BLOCKS = 4;
const LEVEL = 1;

/** Where documents stand: shared by the buffer being written and the finished segment. */
interface BlockTables {
  /** Start of each document in the uncompressed whole, one more at the end. */
  readonly docStarts: Uint32Array;
  /** First document of each block. */
  readonly blockDocs: Uint32Array;
  /** Start of each block in the compressed bytes, one more at the end. */
  readonly blockStarts: Uint32Array;
}

export class StoredBuffer {
  private readonly compressed = new ByteSink(BLOCK_BYTES);
  private readonly open = new ByteSink(BLOCK_BYTES * 2);
  private readonly docStarts = new GrowableU32();
  private readonly blockDocs = new GrowableU32();
  private readonly blockStarts = new GrowableU32();
  private total = 0;
  private openStart = 0;

  constructor() {
    this.docStarts.push(0);
    this.blockDocs.push(0);
    this.blockStarts.push(0);
  }

  get sizeBytes(): number {
    return this.compressed.bytes.length + this.open.bytes.length + this.docStarts.sizeBytes;
  }

  /** Uncompressed size; a buffer is closed before this passes what the tables can hold. */
  get rawBytes(): number {
    return this.total;
  }

  static readonly RAW_BYTES_MAX: number = BLOCK_BYTES_MAX - 0x1000_0000;

  add(source: Uint8Array): void {
    this.open.raw(source);
    this.total += source.length;
    this.docStarts.push(this.total);
    if (this.open.length >= BLOCK_BYTES) this.endBlock();
  }

  private endBlock(): void {
    this.compressed.raw(deflateRawSync(this.open.written(), { level: LEVEL }));
    this.blockStarts.push(this.compressed.length);
    this.blockDocs.push(this.docStarts.length - 1);
    this.openStart = this.total;
    this.open.clear();
  }

  /** Takes over all documents of a finished segment, block by block as they are compressed. */
  *addWhole(from: StoredDocuments): Generator<number, void> {
    if (this.open.length > 0) this.endBlock();
    const { docStarts, blockDocs } = from.tables;
    for (let block = 0; block < blockDocs.length; block++) {
      const bytes = from.compressedBlock(block);
      const end = blockDocs[block + 1] ?? docStarts.length - 1;
      const base = this.total - (docStarts[blockDocs[block] as number] as number);
      for (let doc = blockDocs[block] as number; doc < end; doc++)
        this.docStarts.push(base + (docStarts[doc + 1] as number));
      this.total = this.docStarts.at(this.docStarts.length - 1);
      this.compressed.raw(bytes);
      this.blockStarts.push(this.compressed.length);
      this.blockDocs.push(this.docStarts.length - 1);
      this.openStart = this.total;
      yield end - (blockDocs[block] as number);
    }
  }

  /** A document that was added; a copy. */
  source(doc: number): Uint8Array {
    const from = this.docStarts.at(doc);
    const to = this.docStarts.at(doc + 1);
    if (from >= this.openStart && doc >= this.blockDocs.at(this.blockDocs.length - 1)) {
      return this.open.bytes.slice(from - this.openStart, to - this.openStart);
    }
    const block = findBlock(this.blockDocs.view(), doc);
    const bytes = inflateRawSync(
      this.compressed.bytes.subarray(this.blockStarts.at(block), this.blockStarts.at(block + 1)),
    );
    const start = this.docStarts.at(this.blockDocs.at(block));
    return bytes.subarray(from - start, to - start);
  }

  write(into: ContainerWriter, directory: ByteSink): void {
    if (this.open.length > 0 || this.blockStarts.length === 1) this.endBlock();
    // The last entry only says where the next block would start.
    const blockDocs = this.blockDocs.view().subarray(0, this.blockDocs.length - 1);
    for (const table of [this.docStarts.view(), blockDocs, this.blockStarts.view()]) {
      writeSectionRef(directory, into.section(table));
    }
    writeSectionRef(directory, into.section(this.compressed.written()));
  }
}

/** Last block whose first document is <= `doc`. */
function findBlock(blockDocs: Uint32Array, doc: number): number {
  let low = 0;
  let high = blockDocs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((blockDocs[middle] as number) <= doc) low = middle;
    else high = middle - 1;
  }
  return low;
}

export class StoredDocuments {
  readonly tables: BlockTables;
  private readonly compressed: Uint8Array;
  /** Most recently used last. */
  private readonly cache = new Map<number, Uint8Array>();

  constructor(from: ContainerReader) {
    const docStarts = u32View(from.section());
    const blockDocs = u32View(from.section());
    this.tables = { docStarts, blockDocs, blockStarts: u32View(from.section()) };
    this.compressed = from.section();
  }

  source(doc: number): Uint8Array {
    const { docStarts, blockDocs } = this.tables;
    const block = findBlock(blockDocs, doc);
    const bytes = this.block(block);
    const start = docStarts[blockDocs[block] as number] as number;
    return bytes.subarray((docStarts[doc] as number) - start, (docStarts[doc + 1] as number) - start);
  }

  /** Uncompressed size of all documents. */
  get rawBytes(): number {
    const { docStarts } = this.tables;
    return docStarts[docStarts.length - 1] as number;
  }

  compressedBlock(block: number): Uint8Array {
    const { blockStarts } = this.tables;
    return this.compressed.subarray(blockStarts[block], blockStarts[block + 1]);
  }

  private block(block: number): Uint8Array {
    const cached = this.cache.get(block);
    if (cached !== undefined) {
      this.cache.delete(block);
      this.cache.set(block, cached);
      return cached;
    }
    const bytes = inflateRawSync(this.compressedBlock(block));
    if (this.cache.size >= CACHED_BLOCKS) {
      const [oldest] = this.cache.keys();
      if (oldest !== undefined) this.cache.delete(oldest);
    }
    this.cache.set(block, bytes);
    return bytes;
  }
}

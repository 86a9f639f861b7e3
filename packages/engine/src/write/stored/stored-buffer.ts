/**
 * Writes stored `_source`: documents to blocks, compressed as they come in, so that a refresh has only the last one left.
 */

import { crc32 } from 'node:zlib';
import { assert, type ByteSink } from '@shoal/core';
import { GrowableF64, GrowableU32 } from '../../bytes/growable-arrays.ts';
import { lastAtMost } from '../../bytes/last-at-most.ts';
import type { PieceSource } from '../../bytes/piece-pool.ts';
import type { ContainerWriter } from '../../format/container/container-writer.ts';
import { writeSectionRef } from '../../format/container/section-ref.ts';
import {
  BlockEncoder,
  checksumOf,
  DocumentBlock,
  DocumentBlockWriter,
  rawLengthOf,
  STORED_CODECS,
  type StoredCodec,
  unpackBlock,
} from '../../format/stored/stored-block.ts';
import { StoredBytes } from '../../format/stored/stored-bytes.ts';
import type { StoredDocuments } from '../../format/stored/stored-documents.ts';
import type { IndexingMemory } from '../../memory/indexing-memory.ts';
import { type DocMap, type DocSources, newDoc } from './doc-map.ts';
import { StoredBlocks } from './stored-blocks.ts';

export class StoredBuffer {
  /** What was written so far; whoever gave it a file may move it there between two calls. */
  readonly bytes: StoredBytes;
  private readonly encoder: BlockEncoder;
  private readonly open = new DocumentBlockWriter();
  private readonly blockDocs = new GrowableU32();
  private readonly blockStarts = new GrowableF64();
  /** Before the open block. */
  private docs = 0;
  private total = 0;
  private checksums = 0;

  constructor(codec: StoredCodec = 'lz4', indexing: IndexingMemory | null = null, pieces: PieceSource | null = null) {
    this.encoder = new BlockEncoder(codec, indexing?.lz4);
    this.bytes = StoredBytes.begin('memory', pieces);
  }

  get sizeBytes(): number {
    return this.bytes.memoryBytes + this.open.sizeBytes + this.blockDocs.sizeBytes + this.blockStarts.sizeBytes;
  }

  /** Uncompressed size. */
  get rawBytes(): number {
    return this.total;
  }

  add(document: Uint8Array): void {
    this.open.add(document);
    this.total += document.length;
    if (this.open.sizeBytes >= this.encoder.blockBytes) this.endBlock();
  }

  private beginBlock(docs: number): void {
    this.blockDocs.push(this.docs);
    this.blockStarts.push(this.bytes.length);
    this.docs += docs;
  }

  private noteChecksum(checksum: number): void {
    this.checksums = crc32(Uint8Array.of(checksum, checksum >>> 8, checksum >>> 16, checksum >>> 24), this.checksums);
  }

  private endBlock(): void {
    if (this.open.count === 0) return;
    this.beginBlock(this.open.count);
    const block = this.encoder.encode(this.open.finish());
    this.noteChecksum(checksumOf(block));
    this.bytes.append(block);
  }

  /**
   * Takes over the documents of a finished segment that `map` numbers. Blocks whose documents all stay are
   * copied as they are. Yields how many documents a step was.
   */
  *addSegment(from: StoredDocuments, map: DocMap): Generator<number, void> {
    for (const { first, end, bytes } of from.blocks()) {
      if (this.isTakenWhole(from, bytes, map, first, end)) this.addBlock(bytes, end - first);
      else {
        const documents = new DocumentBlock(unpackBlock(bytes), end - first);
        for (let doc = first; doc < end; doc++) if (newDoc(map, doc) >= 0) this.add(documents.document(doc - first));
      }
      yield end - first;
    }
  }

  /** Takes over documents of finished segments in any order. Yields how many documents a step was. */
  *addReordered(inputs: readonly StoredDocuments[], { owners, docs }: DocSources): Generator<number, void> {
    // Several inputs are each read from the first document to the last, one of them in any order.
    const readers = inputs.map((from) => new StoredBlocks(from, inputs.length === 1));
    for (let number = 0; number < docs.length; number++) {
      const reader = readers[owners[number] as number] as StoredBlocks;
      this.add(reader.document(docs[number] as number));
      yield 1;
    }
  }

  /** Small blocks, which refreshes of few documents leave, are joined instead. */
  private isTakenWhole(from: StoredDocuments, block: Uint8Array, map: DocMap, first: number, end: number): boolean {
    if (from.codec !== this.encoder.codec || rawLengthOf(block) * 2 < this.encoder.blockBytes) return false;
    for (let doc = first; map.numbers !== null && doc < end; doc++) if (newDoc(map, doc) < 0) return false;
    return true;
  }

  /** `block`: as it stands in its segment, checked. */
  private addBlock(block: Uint8Array, docs: number): void {
    this.endBlock();
    this.beginBlock(docs);
    this.total += rawLengthOf(block);
    this.noteChecksum(checksumOf(block));
    this.bytes.append(block);
  }

  /** A document that was added; may be a view. */
  document(doc: number): Uint8Array {
    if (doc >= this.docs) return this.open.document(doc - this.docs);
    const block = lastAtMost(this.blockDocs.view(), doc);
    const isLast = block === this.blockDocs.length - 1;
    // A finished buffer knows the end of its last block.
    const isEndKnown = block + 1 < this.blockStarts.length;
    const first = this.blockDocs.at(block);
    const start = this.blockStarts.at(block);
    const end = isEndKnown ? this.blockStarts.at(block + 1) : this.bytes.length;
    const count = (isLast ? this.docs : this.blockDocs.at(block + 1)) - first;
    return new DocumentBlock(unpackBlock(this.bytes.read(start, end - start)), count).document(doc - first);
  }

  /** Ends the bytes, and writes where blocks stand into the segment. */
  finish(into: ContainerWriter, directory: ByteSink): void {
    this.endBlock();
    assert(this.docs > 0, 'stored documents without documents');
    const blocks = this.blockDocs.length;
    this.blockStarts.push(this.bytes.length);
    this.bytes.finish(blocks, this.checksums);
    directory.u8(STORED_CODECS.indexOf(this.encoder.codec));
    directory.f64(this.total);
    directory.u32(this.checksums);
    writeSectionRef(directory, into.section(this.blockDocs.view()));
    writeSectionRef(directory, into.section(this.blockStarts.view()));
  }
}

/**
 * Stored `_source` of a finished segment: blocks that are read one at a time, from a file, when a document is asked for.
 *
 * In memory stand only where each block begins and which documents it has; blocks read last are in a cache of the thread.
 */

import { DamagedBytes } from '@shoal/core';
import { lastAtMost } from '../../bytes/last-at-most.ts';
import { BlockCache, type CachedBlock } from '../../memory/block-cache.ts';
import { type ContainerReader, u32View } from '../container/container-reader.ts';
import type { SectionGroup, SegmentSections } from '../container/segment-sections.ts';
import { checkBlock, DocumentBlock, STORED_CODECS, type StoredCodec, unpackBlock } from './stored-block.ts';
import { STORED_HEADER_BYTES, type StoredBytes } from './stored-bytes.ts';

/** Cache of a segment outside of any thread's memory, in bytes. */
const OWN_CACHE_BYTES = 64 * 1024;
const DOC_BYTES = 4;
const NO_BYTES = new Uint8Array(0);

/** Bytes read at once where blocks are read one after the other. */
const READ_AHEAD_BYTES = 256 * 1024;

interface BlockOffsets {
  readonly blockDocs: Uint32Array;
  /** One more at the end. */
  readonly blockStarts: Float64Array;
}

/** A block as it stands in the file, and its documents first..end - 1. */
export interface StoredBlock {
  readonly first: number;
  readonly end: number;
  readonly bytes: Uint8Array;
}

interface StoredParts {
  readonly codec: StoredCodec;
  readonly rawBytes: number;
  readonly blockCount: number;
  readonly docCount: number;
  readonly bytes: StoredBytes;
  readonly cache: BlockCache;
}

export class StoredDocuments {
  readonly codec: StoredCodec;
  readonly bytes: StoredBytes;
  readonly blockCount: number;
  /** Uncompressed size of all documents. */
  readonly rawBytes: number;
  private readonly docCount: number;
  private readonly places: SectionGroup<BlockOffsets>;
  private readonly cache: BlockCache;
  private readonly owner: number;

  private constructor(parts: StoredParts, places: SectionGroup<BlockOffsets>) {
    this.codec = parts.codec;
    this.rawBytes = parts.rawBytes;
    this.blockCount = parts.blockCount;
    this.docCount = parts.docCount;
    this.bytes = parts.bytes;
    this.places = places;
    this.cache = parts.cache;
    this.owner = this.cache.newOwner();
  }

  /**
   * Reads the directory's entry of the stored documents. Takes `stored` over where it is bytes, which `close` closes; documents
   * that are open already are shared and not closed by this one.
   */
  static read(
    from: ContainerReader,
    sections: SegmentSections,
    docCount: number,
    stored: StoredBytes | StoredDocuments,
    cache: BlockCache | null,
  ): StoredDocuments {
    const codec = STORED_CODECS[from.directory.u8()];
    if (codec === undefined) throw new DamagedBytes('unknown codec of stored documents');
    const rawBytes = from.directory.f64();
    const checksums = from.directory.u32();
    const refs = [from.section(), from.section()] as const;
    if (stored instanceof StoredDocuments) return stored;
    const blockCount = Math.floor(refs[0].length / DOC_BYTES);
    stored.checkFooter(blockCount, checksums);
    const places = sections.group(refs, ([docs = NO_BYTES, starts = NO_BYTES]) => {
      const blockStarts = new Float64Array(starts.buffer, starts.byteOffset, starts.byteLength >>> 3);
      if (blockStarts[0] !== STORED_HEADER_BYTES || blockStarts[blockCount] !== stored.blocksEnd)
        throw stored.damaged('its blocks stand elsewhere');
      return { blockDocs: u32View(docs), blockStarts };
    });
    const parts = { codec, rawBytes, blockCount, docCount, bytes: stored };
    return new StoredDocuments({ ...parts, cache: cache ?? new BlockCache(OWN_CACHE_BYTES) }, places);
  }

  /** Bytes of the documents and of their offsets in the files. */
  get lengthBytes(): number {
    return this.bytes.length + this.places.lengthBytes;
  }

  /** First document of a block, or the end behind the last. */
  firstDoc(block: number): number {
    return block < this.blockCount ? (this.places.get().blockDocs[block] as number) : this.docCount;
  }

  /** A view of the cache. Throws `corrupt_index_exception` when its block is not as it was written. */
  document(doc: number): Uint8Array {
    const { blockDocs } = this.places.get();
    const block = lastAtMost(blockDocs, doc);
    const first = blockDocs[block] as number;
    return this.documents(block, first).document(doc - first);
  }

  private documents(block: number, first: number): CachedBlock {
    const cached = this.cache.get(this.owner, block);
    if (cached !== null) return cached;
    const bytes = this.block(block);
    const documents = this.damagedAsUsers(
      () => new DocumentBlock(unpackBlock(bytes), this.firstDoc(block + 1) - first),
    );
    this.cache.put(this.owner, block, documents);
    return documents;
  }

  /** A block as it stands in the file, verified. Throws `corrupt_index_exception`. */
  block(block: number): Uint8Array {
    const { blockStarts } = this.places.get();
    const start = blockStarts[block] as number;
    const bytes = this.bytes.read(start, (blockStarts[block + 1] as number) - start);
    this.damagedAsUsers(() => checkBlock(bytes));
    return bytes;
  }

  /** All blocks in their order, verified, each valid until the next is asked for. Many of them are read at once. */
  *blocks(): Generator<StoredBlock, void> {
    let room = new Uint8Array(READ_AHEAD_BYTES);
    let from = 0;
    let to = 0;
    for (let block = 0; block < this.blockCount; block++) {
      const { blockStarts } = this.places.get();
      const start = blockStarts[block] as number;
      const end = blockStarts[block + 1] as number;
      if (end > to) {
        from = start;
        to = Math.max(end, Math.min(start + READ_AHEAD_BYTES, this.bytes.blocksEnd));
        if (to - from > room.length) room = new Uint8Array(to - from);
        this.bytes.readInto(room.subarray(0, to - from), from);
      }
      const bytes = room.subarray(start - from, end - from);
      this.damagedAsUsers(() => checkBlock(bytes));
      yield { first: this.firstDoc(block), end: this.firstDoc(block + 1), bytes };
    }
  }

  private damagedAsUsers<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof DamagedBytes) throw this.bytes.damaged(error.message);
      throw error;
    }
  }

  close(): void {
    this.cache.drop(this.owner);
    this.bytes.close();
  }
}

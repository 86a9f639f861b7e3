/**
 * Stored `_source` of a finished segment: blocks that are read one at a time, from a file, when a document is asked for.
 *
 * In memory stand only where each block begins and which documents it has; blocks read last are in a cache of the thread.
 */
import { DamagedBytes } from '@shoal/core';
import { BlockCache } from './block-cache.ts';
import { type ContainerReader, corruptSegment, u32View } from './segment-container.ts';
import { checkBlock, DocumentBlock, STORED_CODECS, type StoredCodec, unpackBlock } from './stored-block.ts';
import { STORED_HEADER_BYTES, type StoredBytes } from './stored-bytes.ts';

/** Of a segment outside of any thread's memory. */
const OWN_CACHE_BYTES = 64 * 1024;

/** Last block whose first document is <= `doc`. */
export function findBlock(blockDocs: Uint32Array, doc: number): number {
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
  readonly codec: StoredCodec;
  readonly bytes: StoredBytes;
  readonly blockCount: number;
  /** Uncompressed size of all documents. */
  readonly rawBytes: number;
  private readonly docCount: number;
  private readonly blockDocs: Uint32Array;
  /** One more at the end. */
  private readonly blockStarts: Float64Array;
  private readonly cache: BlockCache;
  private readonly owner: number;

  /** Takes `bytes` over: `close` closes them. */
  constructor(from: ContainerReader, docCount: number, bytes: StoredBytes, cache: BlockCache | null) {
    const codec = STORED_CODECS[from.directory.u8()];
    if (codec === undefined) throw new DamagedBytes('unknown codec of stored documents');
    this.codec = codec;
    this.rawBytes = from.directory.f64();
    const checksums = from.directory.u32();
    this.blockDocs = u32View(from.section());
    const starts = from.section();
    this.blockStarts = new Float64Array(starts.buffer, starts.byteOffset, starts.byteLength >>> 3);
    this.blockCount = this.blockDocs.length;
    this.docCount = docCount;
    this.bytes = bytes;
    bytes.checkFooter(this.blockCount, checksums);
    if (this.blockStarts[0] !== STORED_HEADER_BYTES || this.blockStarts[this.blockCount] !== bytes.blocksEnd)
      throw new DamagedBytes('blocks of stored documents stand elsewhere');
    this.cache = cache ?? new BlockCache(OWN_CACHE_BYTES);
    this.owner = this.cache.newOwner();
  }

  /** First document of a block, or the end behind the last. */
  firstDoc(block: number): number {
    return block < this.blockCount ? (this.blockDocs[block] as number) : this.docCount;
  }

  /** A view of the cache. Throws `corrupt_index_exception` when its block is not as it was written. */
  source(doc: number): Uint8Array {
    const block = findBlock(this.blockDocs, doc);
    const first = this.blockDocs[block] as number;
    return this.documents(block, first).document(doc - first);
  }

  private documents(block: number, first: number): DocumentBlock {
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
    const start = this.blockStarts[block] as number;
    const bytes = this.bytes.read(start, (this.blockStarts[block + 1] as number) - start);
    this.damagedAsUsers(() => checkBlock(bytes));
    return bytes;
  }

  private damagedAsUsers<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      if (error instanceof DamagedBytes) throw corruptSegment(this.bytes.path, error.message);
      throw error;
    }
  }

  close(): void {
    this.cache.drop(this.owner);
    this.bytes.close();
  }
}

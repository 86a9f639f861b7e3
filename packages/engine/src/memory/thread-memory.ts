/**
 * Memory of one thread's segments: one WebAssembly memory that kernels work on, plain bytes, and the caches beside them, all
 * under one limit.
 *
 * A request that finds no room evicts sections that can be read again; writes are refused only when nothing is left to evict.
 */

import { assert, ShoalError } from '@shoal/core';
import { type HashSecret, OPEN_SECRET } from '../bytes/hash-secret.ts';
import { PiecePool } from '../bytes/piece-pool.ts';
import { loadKernels } from '../kernels/search-kernels.ts';
import { BlockCache } from './block-cache.ts';
import { FielddataCache } from './fielddata-cache.ts';
import { FilterCache } from './filter-cache.ts';
import { createIndexingMemory, type IndexingMemory } from './indexing-memory.ts';
import { KernelMemory } from './kernel-memory.ts';
import { exact, Placed, type PlacedBytes } from './placed-bytes.ts';
import { RequestCache } from './request-cache.ts';
import { SectionCache } from './section-cache.ts';
import { type SegmentMemory, UNWRITTEN_BYTES_MAX } from './segment-memory.ts';
import { SEGMENT_PAGING, type SegmentPaging } from './segment-paging.ts';
import { UnionCache } from './union-cache.ts';

/** Divisor of the thread's memory: what a merge has in memory, and segments without a file. */
const MERGED_SHARE = 4;

/** Share of the limit up to which memory is given to caches and optional allocations. */
const OPTIONAL_SHARE = 0.75;

/** Limit of the cache of stored documents, in bytes. */
const BLOCKS_BYTES_MAX = 8 * 1024 * 1024;

/** Divisor of the thread's memory: the limit of that cache where it is less. */
const BLOCKS_SHARE = 16;

/** Limit of the idle pooled buffers, in bytes. */
const PIECES_BYTES_MAX = 16 * 1024 * 1024;

/** Divisor of the thread's memory: the limit of idle buffers where it is less. */
const PIECES_SHARE = 16;

/** Divisor of the thread's memory: the limit of the cached answers where none is given. */
const REQUESTS_SHARE = 16;

export interface KernelMemoryOptions {
  /** Limit of everything that belongs to segments, in bytes: the thread's share of `indices.memory.bytes`. */
  readonly bytesMax: number;
  /** Limit of the cached answers of searches, in bytes: the thread's share of `indices.requests.cache.size`. */
  readonly requestCacheBytesMax?: number;
  /** false: run like a machine without SIMD. */
  readonly hasKernels?: boolean;
  /** Sizes of pages other than usual, for tests. */
  readonly paging?: SegmentPaging;
  /** Left out in tests and tools, where nobody chooses what is hashed. */
  readonly hashSecret?: HashSecret;
}

/** Creates the memory of one thread. */
export function createSegmentMemory(options: KernelMemoryOptions): ThreadMemory {
  return new ThreadMemory(options);
}

export class ThreadMemory implements SegmentMemory {
  readonly kernels: KernelMemory | null;
  readonly sections: SectionCache;
  readonly blocks: BlockCache;
  readonly filters: FilterCache;
  readonly unions: UnionCache;
  readonly fielddata: FielddataCache;
  readonly requests: RequestCache;
  readonly pieces: PiecePool;
  readonly hashSecret: HashSecret;
  readonly bytesMax: number;
  readonly paging: SegmentPaging;
  readonly mergeBytesMax: number;
  readonly unwrittenBytesMax: number;
  private readonly hasKernels: boolean;
  /** Created when the thread first writes. */
  private lazyIndexing: IndexingMemory | null = null;
  /** Bytes of segments that no file has yet. */
  private placedBytes = 0;
  private releasedBytes = 0;

  constructor(options: KernelMemoryOptions) {
    const { bytesMax, requestCacheBytesMax, hasKernels = true, hashSecret = OPEN_SECRET } = options;
    this.paging = options.paging ?? SEGMENT_PAGING;
    this.hashSecret = hashSecret;
    assert(bytesMax > 0, `a thread's memory of ${bytesMax} bytes`);
    this.bytesMax = bytesMax;
    this.hasKernels = hasKernels;
    this.mergeBytesMax = bytesMax / MERGED_SHARE;
    this.unwrittenBytesMax = Math.min(UNWRITTEN_BYTES_MAX, bytesMax / MERGED_SHARE);
    this.blocks = new BlockCache(Math.min(BLOCKS_BYTES_MAX, bytesMax / BLOCKS_SHARE));
    this.filters = new FilterCache(bytesMax, (bytes) => this.makeRoom(bytes));
    this.unions = new UnionCache(bytesMax, (bytes) => this.makeRoom(bytes));
    this.fielddata = new FielddataCache(bytesMax, (bytes) => this.makeRoom(bytes));
    const requestBytesMax = requestCacheBytesMax ?? bytesMax / REQUESTS_SHARE;
    this.requests = new RequestCache(requestBytesMax, (bytes) => this.makeRoom(bytes));
    this.pieces = new PiecePool(Math.min(PIECES_BYTES_MAX, bytesMax / PIECES_SHARE));
    const { pieces } = this;
    const loaded = hasKernels ? loadKernels() : null;
    this.kernels =
      loaded &&
      new KernelMemory(loaded.kernels, loaded.memory, { bytesMax, pieces, makeRoom: (bytes) => this.makeRoom(bytes) });
    this.sections = new SectionCache(this.kernels, (bytes) => this.makeRoom(bytes));
  }

  get indexing(): IndexingMemory | null {
    if (this.hasKernels) this.lazyIndexing ??= createIndexingMemory(this.hashSecret);
    return this.lazyIndexing;
  }

  get usedBytes(): number {
    const caches = this.sections.plainBytes + this.blocks.usedBytes + this.filters.usedBytes + this.unions.usedBytes;
    const values = this.fielddata.usedBytes + this.requests.usedBytes;
    return this.placedBytes + (this.kernels?.usedBytes ?? 0) + caches + values;
  }

  /** Evicts sections until `bytes` more stay within the optional share of the limit; false when they cannot. */
  private makeRoom(bytes: number): boolean {
    while (this.usedBytes + bytes > this.bytesMax * OPTIONAL_SHARE) if (!this.sections.dropOne()) return false;
    return true;
  }

  place(bytes: Uint8Array): PlacedBytes {
    return this.placed(exact(bytes));
  }

  private placed(bytes: Uint8Array): PlacedBytes {
    this.placedBytes += bytes.length;
    return new Placed(bytes, (freed) => {
      this.placedBytes -= freed;
      assert(this.placedBytes >= 0, `${this.placedBytes} bytes of segments are placed`);
      this.noteReleased(freed);
    });
  }

  noteReleased(bytes: number): void {
    assert(bytes >= 0, `${bytes} bytes are released`);
    this.releasedBytes += bytes;
  }

  hasReleased(bytes: number): boolean {
    this.releasedBytes += this.sections.takeReleased();
    if (this.releasedBytes < bytes) return false;
    this.releasedBytes = 0;
    return true;
  }

  shortage(bytes: number): ShoalError | null {
    const { bytesMax } = this;
    if (this.usedBytes + bytes <= bytesMax) return null;
    while (this.usedBytes + bytes > bytesMax) if (!this.sections.dropOne()) break;
    const wanted = this.usedBytes + bytes;
    if (wanted <= bytesMax) return null;
    return new ShoalError(
      'circuit_breaking_exception',
      429,
      `[segments] Data too large, data for [segments] would be [${wanted}/${wanted}b], which is larger than the limit of [${bytesMax}/${bytesMax}b]`,
      { metadata: { bytes_wanted: wanted, bytes_limit: bytesMax, durability: 'PERMANENT' } },
    );
  }
}

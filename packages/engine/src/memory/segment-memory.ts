/**
 * Contract between a shard and the memory its segments live in: kernels, caches, pools and the limit they share.
 *
 * What files have is in memory only as long as there is room for it. What no file has yet is counted, and writes are refused
 * before that passes the limit.
 */

import type { ShoalError } from '@shoal/core';
import { type HashSecret, OPEN_SECRET } from '../bytes/hash-secret.ts';
import type { PiecePool } from '../bytes/piece-pool.ts';
import type { BlockCache } from './block-cache.ts';
import type { FielddataCache } from './fielddata-cache.ts';
import type { FilterCache } from './filter-cache.ts';
import type { IndexingMemory } from './indexing-memory.ts';
import type { KernelMemory } from './kernel-memory.ts';
import { exact, Placed, type PlacedBytes } from './placed-bytes.ts';
import type { RequestCache } from './request-cache.ts';
import type { SectionCache } from './section-cache.ts';
import { SEGMENT_PAGING, type SegmentPaging } from './segment-paging.ts';
import type { UnionCache } from './union-cache.ts';

/** Limit of the bytes of segments that a shard holds in memory without a file. */
export const UNWRITTEN_BYTES_MAX: number = 48 * 1024 * 1024;

/** Memory of the segments of one thread. */
export interface SegmentMemory {
  /** Secret of the thread's hash tables. */
  readonly hashSecret: HashSecret;
  /** Memory that kernels work on; null: searches run without kernels. */
  readonly kernels: KernelMemory | null;
  /** Cache of the sections of all segments; null: each segment retains what it reads. */
  readonly sections: SectionCache | null;
  /** Cache of decompressed stored documents of all segments; null: each segment has a small one of its own. */
  readonly blocks: BlockCache | null;
  /** Cache of the matches of filters in all segments; null: filters are not cached. */
  readonly filters: FilterCache | null;
  /** Cache of the common numbers of terms over segments; null: they are not cached. */
  readonly unions: UnionCache | null;
  /** Cache of the values by document of text fields; null: they stay with their segments. */
  readonly fielddata: FielddataCache | null;
  /** Cache of the answers of the query phase; null: they are not cached. */
  readonly requests: RequestCache | null;
  /** Pool of the buffers in which segments and translogs are assembled; null: each allocates its own. */
  readonly pieces: PiecePool | null;
  /** Kernel memory in which segments are written; null: plain arrays. */
  readonly indexing: IndexingMemory | null;
  /** Pages of the segments that are written, and what of a segment is read by them. */
  readonly paging: SegmentPaging;
  /** Limit of what a merge has in memory beside what it streams, in bytes. */
  readonly mergeBytesMax: number;
  /** Bytes of segments that one shard may hold without a file before it flushes. */
  readonly unwrittenBytesMax: number;
  /** Takes over or copies `bytes`, and counts them until a file has them. */
  place(bytes: Uint8Array): PlacedBytes;
  /** Counts bytes of JavaScript's memory that became garbage. */
  noteReleased(bytes: number): void;
  /** True when at least `bytes` became garbage since this was last true. */
  hasReleased(bytes: number): boolean;
  /** Error that clients get when `bytes` more do not fit below the limit; null when they fit. */
  shortage(bytes: number): ShoalError | null;
}

/** Memory without kernels, caches and limit: for tests, tools and segments outside of a thread's memory. */
export const PLAIN_MEMORY: SegmentMemory = {
  hashSecret: OPEN_SECRET,
  kernels: null,
  sections: null,
  blocks: null,
  filters: null,
  unions: null,
  fielddata: null,
  requests: null,
  pieces: null,
  indexing: null,
  paging: SEGMENT_PAGING,
  mergeBytesMax: Number.POSITIVE_INFINITY,
  unwrittenBytesMax: UNWRITTEN_BYTES_MAX,
  place: (bytes) => new Placed(exact(bytes), () => {}),
  noteReleased: () => {},
  hasReleased: () => false,
  shortage: () => null,
};

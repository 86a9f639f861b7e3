/**
 * Contract between a shard and the memory its segments live in: kernels, caches, pools and the limit they share.
 *
 * What files have is in memory only as long as there is room for it. What no file has yet is counted, and writes are refused
 * before that passes the limit.
 */

import type { ShoalError } from '@shoal/core';
import type { PiecePool } from '../bytes/piece-pool.ts';
import type { BlockCache } from './block-cache.ts';
import type { FilterCache } from './filter-cache.ts';
import type { IndexingMemory } from './indexing-memory.ts';
import type { KernelMemory } from './kernel-memory.ts';
import { exact, Placed, type PlacedBytes } from './placed-bytes.ts';
import type { SectionCache } from './section-cache.ts';

/** Of segments that a shard has not written, and the share of the memory that these or a merged one may take. */
export const UNWRITTEN_BYTES_MAX: number = 48 * 1024 * 1024;

/** Where segments are kept. */
export interface SegmentMemory {
  /** null: nothing is read for kernels. */
  readonly kernels: KernelMemory | null;
  /** What was read of all its segments; null: each keeps what it reads. */
  readonly sections: SectionCache | null;
  /** Of the stored documents of all its segments; null: each keeps some of its own. */
  readonly blocks: BlockCache | null;
  /** Of filters of all its segments; null: none are kept. */
  readonly filters: FilterCache | null;
  /** What segments and translogs are put together in; null: each takes its own. */
  readonly pieces: PiecePool | null;
  /** Where segments are written; null: plain arrays only. */
  readonly indexing: IndexingMemory | null;
  /** What merges make at most, a field of which is in memory at a time, of the inputs and as it is made. */
  readonly mergedBytesMax: number;
  /** What a shard may keep in memory without a file. */
  readonly unwrittenBytesMax: number;
  /** Takes `bytes` over, or copies them, until a file has them. */
  place(bytes: Uint8Array): PlacedBytes;
  /** So many bytes of JavaScript's memory are not needed any more. */
  letGo(bytes: number): void;
  /** Whether so many bytes of it were let go since this was last true. */
  hasLetGo(bytes: number): boolean;
  /** Why so many more bytes cannot be taken, as clients are told; null when they can. */
  shortage(bytes: number): ShoalError | null;
}

/** For whoever has no kernels and no limit. */
export const PLAIN_MEMORY: SegmentMemory = {
  kernels: null,
  sections: null,
  blocks: null,
  filters: null,
  pieces: null,
  indexing: null,
  mergedBytesMax: Number.POSITIVE_INFINITY,
  unwrittenBytesMax: UNWRITTEN_BYTES_MAX,
  place: (bytes) => new Placed(exact(bytes), () => {}),
  letGo: () => {},
  hasLetGo: () => false,
  shortage: () => null,
};

/**
 * The memory of a thread's segments: one WebAssembly memory that the kernels work on, and plain bytes.
 *
 * What files have is here only as long as there is room for it. What no file has yet is counted, and writes are refused before
 * that passes the limit. A search that finds no room for its own needs runs without kernels.
 */

import { assert, type GrowingMemory, growMemory, WASM_PAGE_BYTES } from '@shoal/core';
import type { PieceSource } from '../bytes/piece-pool.ts';
import { AGGREGATION_BYTES, AggregationKernels } from '../kernels/aggregation-kernels.ts';
import { loadPostingsKernels, type PostingsKernels } from '../kernels/postings-kernels.ts';
import type { Kernels } from '../kernels/search-kernels.ts';
import { RegionAllocator } from './region-allocator.ts';

/** First address of regions; the module's own data is below it. */
const REGIONS_START = WASM_PAGE_BYTES;

/** End of all regions: an address behind the last page would be 0 again, and kernels read some bytes behind what they are given. */
const REGIONS_END = 2 ** 32 - WASM_PAGE_BYTES;

/** Smallest growth of the memory, in bytes. */
const GROW_BYTES_MIN = 4 * 1024 * 1024;

/** Divisor of the present size: the memory grows by this share at least. */
const GROW_SHARE = 8;

/** Size to which the memory may grow whatever its limit is, in bytes: running queries need it. */
const LENGTH_MIN = 16 * 1024 * 1024;

/** Idle query areas that are retained for the next query. */
const IDLE_AREAS_MAX = 4;

/** Length table of one term's field behind an area, in bytes: 256 float32. */
const INVERSES_BYTES = 1024;

/** Best hits that an area has room for. */
const HEAP_KEYS = 1024;

const KEY_BYTES = 8;

const WORD_BYTES = 4;

/** Kernels read and write some bytes behind what they are given. */
const OVERRUN_BYTES = 64;

/** Area of a running query in kernel memory. */
export interface QueryArea {
  readonly address: number;
  /** Length table number `index`: 256 float32. */
  inverses(index: number): number;
  readonly heap: number;
}

export interface KernelMemoryLimits {
  /** What was touched stays resident: the memory grows no longer than this. */
  readonly bytesMax: number;
  /** For what its kernels write. */
  readonly pieces: PieceSource;
  /** Whether so many more bytes leave the last part of the limit free. */
  readonly makeRoom: (bytes: number) => boolean;
}

export class KernelMemory {
  readonly kernels: Kernels;
  private readonly memory: GrowingMemory;
  private readonly regions: RegionAllocator;
  private readonly options: KernelMemoryLimits;
  /** Drops what can be read again until there is room for so much; false when there is not. */
  readonly makeRoom: (bytes: number) => boolean;
  private readonly idleAreas: QueryArea[] = [];
  private loadedPostings: PostingsKernels | null | undefined;
  private loadedAggregations: AggregationKernels | null | undefined;
  /** View of the whole memory; replaced when the memory has grown. */
  private words: Uint32Array;
  private floats: Float32Array;
  /** Norms of fields that have none. */
  private plainNorms = { address: 0, length: 0 };

  constructor(kernels: Kernels, memory: GrowingMemory, options: KernelMemoryLimits) {
    this.kernels = kernels;
    this.options = options;
    this.makeRoom = options.makeRoom;
    this.memory = memory;
    this.words = new Uint32Array(memory.buffer);
    this.floats = new Float32Array(memory.buffer);
    this.regions = new RegionAllocator(REGIONS_START, (length) => this.growTo(length));
  }

  get usedBytes(): number {
    return this.regions.usedBytes;
  }

  get pieces(): PieceSource {
    return this.options.pieces;
  }

  private growTo(length: number): boolean {
    const now = this.memory.buffer.byteLength;
    if (length <= now) return true;
    if (length > Math.min(Math.max(this.options.bytesMax, LENGTH_MIN), REGIONS_END)) return false;
    const ideal = Math.max(length, now + GROW_BYTES_MIN, now + now / GROW_SHARE);
    return (
      this.growBy(Math.ceil((ideal - now) / WASM_PAGE_BYTES)) ||
      this.growBy(Math.ceil((length - now) / WASM_PAGE_BYTES))
    );
  }

  private growBy(pages: number): boolean {
    if (!growMemory(this.memory, pages)) return false;
    this.words = new Uint32Array(this.memory.buffer);
    this.floats = new Float32Array(this.memory.buffer);
    return true;
  }

  /** The address of `bytes` bytes of any content, aligned to 64; 0 when there is no room. */
  allocate(bytes: number): number {
    return this.regions.allocate(bytes);
  }

  /** Allocates memory that only makes searches faster: never the last part of the limit, which is reserved for documents. */
  allocateOptional(bytes: number): number {
    return this.makeRoom(bytes) ? this.allocate(bytes) : 0;
  }

  release(address: number): void {
    this.regions.release(address);
  }

  /** A view; valid as long as the region. */
  bytesAt(address: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, address, length);
  }

  /** View of 32-bit words; valid as long as the region. */
  wordsAt(address: number, length: number): Uint32Array {
    return new Uint32Array(this.memory.buffer, address, length);
  }

  /** Made when first asked for; null where there is no room for what they need. */
  get aggregations(): AggregationKernels | null {
    if (this.loadedAggregations === undefined) {
      const address = this.allocateOptional(AGGREGATION_BYTES);
      this.loadedAggregations = address === 0 ? null : AggregationKernels.load(this.memory, address);
    }
    return this.loadedAggregations;
  }

  /** For what writes segments; null where the processor lacks what they need. */
  get postings(): PostingsKernels | null {
    if (this.loadedPostings === undefined) this.loadedPostings = loadPostingsKernels(this.memory);
    return this.loadedPostings;
  }

  floatsAt(address: number, length: number): Float32Array {
    return this.floats.subarray(address / WORD_BYTES, address / WORD_BYTES + length);
  }

  /** Copies numbers to `address`; cheaper than a view for a few of them. */
  writeFloats(address: number, values: Float32Array): void {
    this.floats.set(values, address / WORD_BYTES);
  }

  /** Splits the keys at `address` into what they are made of, see packages/engine/kernels/search/top-hits.ts. */
  readKeys(address: number, docs: Uint32Array, scores: Float32Array): void {
    assert(docs.length === scores.length, `${docs.length} documents for ${scores.length} scores`);
    const { words, floats } = this;
    let at = address / WORD_BYTES;
    for (let i = 0; i < docs.length; i++) {
      docs[i] = ~(words[at] as number);
      scores[i] = floats[at + 1] as number;
      at += 2;
    }
  }

  /** Copies the batch of matches that an area holds. `scores`: null where they were not asked for. */
  readBatch(area: number, count: number, docs: Uint32Array, scores: Float32Array | null): void {
    assert(count <= docs.length, `a batch of ${count} matches for ${docs.length} documents`);
    const docsAt = unsigned(this.kernels.batchDocs(area)) / WORD_BYTES;
    docs.set(this.words.subarray(docsAt, docsAt + count));
    if (scores === null) return;
    this.kernels.narrowScores(area, count);
    const scoresAt = unsigned(this.kernels.batchScores(area)) / WORD_BYTES;
    scores.set(this.floats.subarray(scoresAt, scoresAt + count));
  }

  /** A clear area; null when there is no room. */
  takeArea(): QueryArea | null {
    const idle = this.idleAreas.pop();
    if (idle !== undefined) return idle;
    const size = Math.ceil(this.kernels.areaBytes() / OVERRUN_BYTES) * OVERRUN_BYTES;
    const inversesAt = this.kernels.termsMax() * INVERSES_BYTES;
    const address = this.allocate(size + inversesAt + HEAP_KEYS * KEY_BYTES);
    if (address === 0) return null;
    this.kernels.clearArea(address);
    return {
      address,
      inverses: (index) => address + size + index * INVERSES_BYTES,
      heap: address + size + inversesAt,
    };
  }

  /** Between two calls of the kernels an area is always clear, whether its query ended or was stopped. */
  returnArea(area: QueryArea): void {
    assert(!this.idleAreas.includes(area), `query area ${area.address} is returned twice`);
    if (this.idleAreas.length < IDLE_AREAS_MAX) this.idleAreas.push(area);
    else this.release(area.address);
  }

  /** Best hits that an area has room for. */
  get areaHeapKeys(): number {
    return HEAP_KEYS;
  }

  /** The address of `value` for each of `docCount` documents; 0 when there is no room. */
  sameNorms(docCount: number, value: number): number {
    if (docCount > this.plainNorms.length) {
      // A paused query may still read the previous table: it is not freed, and each is at least twice as long as the last.
      const length = Math.max(docCount, this.plainNorms.length * 2, WASM_PAGE_BYTES);
      const address = this.allocate(length);
      if (address === 0) return 0;
      this.bytesAt(address, length).fill(value);
      this.plainNorms = { address, length };
    }
    return this.plainNorms.address;
  }
}

/** An address as it is meant: WebAssembly returns it as a signed number, negative from 2 GiB on. */
function unsigned(address: number): number {
  return address >>> 0;
}

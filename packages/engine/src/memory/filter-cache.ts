/**
 * Matches of filters that are asked for again, as bits by segment: for all shards of a thread, bounded by their bytes.
 *
 * A segment never changes and a filter's key says all that it means, so that nothing cached can be out of date: deleted
 * documents are left out by whoever reads the bits. An entry is evicted with its segment, or when room is needed.
 */
import { assert } from '@shoal/core';
import type { ShardFilters } from './filter-use.ts';

/** Limit of the cached filters of a thread, in bytes. */
const FILTER_BYTES_MAX = 64 * 1024 * 1024;

/** Divisor of the thread's memory: the limit of cached filters where it is less. */
const FILTER_SHARE = 16;

/** Limit of the cached filters of a thread, in entries. */
const FILTERS_MAX = 4_096;

/** Estimated overhead of an entry beside its bits, in bytes. */
const ENTRY_BYTES = 512;

export interface CachedDocs {
  /** One bit a document, `docCount` of them. */
  readonly words: Uint32Array;
  /** Documents in them. */
  readonly count: number;
}

interface Entry extends CachedDocs {
  readonly shard: ShardFilters;
  /** CLOCK reference bit: set on use, cleared when eviction passes over the entry. */
  isUsed: boolean;
}

export class FilterCache {
  readonly bytesMax: number;
  private readonly hasRoom: (bytes: number) => boolean;
  /** Entries by segment and key, in the order in which eviction visits them. */
  private readonly entries = new Map<string, Entry>();
  private owners = 0;
  private bytes = 0;

  /** `memoryBytes`: of the thread. `hasRoom`: whether so many bytes more may be taken for what can be done without. */
  constructor(memoryBytes: number, hasRoom: (bytes: number) => boolean) {
    this.bytesMax = Math.min(FILTER_BYTES_MAX, memoryBytes / FILTER_SHARE);
    this.hasRoom = hasRoom;
  }

  get usedBytes(): number {
    return this.bytes;
  }

  /** The filters of one more segment. */
  ofSegment(): SegmentFilters {
    return new SegmentFilters(this, `${this.owners++} `);
  }

  get(name: string): CachedDocs | null {
    const found = this.entries.get(name);
    if (found === undefined) return null;
    found.isUsed = true;
    return found;
  }

  put(name: string, docs: CachedDocs, shard: ShardFilters): void {
    assert(docs.count <= docs.words.length * 32, `${docs.count} documents in ${docs.words.length} words`);
    const bytes = bytesOf(docs);
    if (bytes > this.bytesMax || this.entries.has(name)) return;
    for (const [oldest, entry] of this.entries) {
      if (this.bytes + bytes <= this.bytesMax && this.entries.size < FILTERS_MAX && this.hasRoom(bytes)) break;
      if (entry.isUsed) {
        entry.isUsed = false;
        this.entries.delete(oldest);
        this.entries.set(oldest, entry);
        continue;
      }
      this.remove(oldest, entry);
      entry.shard.evictions++;
    }
    if (!this.hasRoom(bytes)) return;
    this.entries.set(name, { ...docs, shard, isUsed: false });
    this.bytes += bytes;
    shard.added++;
    shard.kept++;
    shard.bytes += bytes;
  }

  private remove(name: string, entry: Entry): void {
    this.entries.delete(name);
    const bytes = bytesOf(entry);
    this.bytes -= bytes;
    entry.shard.kept--;
    entry.shard.bytes -= bytes;
    assert(this.bytes >= 0, `the cache holds ${this.bytes} bytes`);
    assert(entry.shard.kept >= 0, `a shard has ${entry.shard.kept} filters of ${entry.shard.bytes} bytes`);
  }

  /** The segment goes. */
  drop(prefix: string): void {
    for (const [name, entry] of this.entries) if (name.startsWith(prefix)) this.remove(name, entry);
  }
}

function bytesOf({ words }: CachedDocs): number {
  return words.byteLength + ENTRY_BYTES;
}

/** Cached filters of one segment. */
export class SegmentFilters {
  private readonly cache: FilterCache;
  private readonly prefix: string;

  constructor(cache: FilterCache, prefix: string) {
    this.cache = cache;
    this.prefix = prefix;
  }

  get(key: string): CachedDocs | null {
    return this.cache.get(this.prefix + key);
  }

  put(key: string, docs: CachedDocs, shard: ShardFilters): void {
    this.cache.put(this.prefix + key, docs, shard);
  }

  drop(): void {
    this.cache.drop(this.prefix);
  }
}

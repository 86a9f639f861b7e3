/**
 * Cache of the numbers that the distinct terms of a field have in common over several segments: for all shards of a thread,
 * bounded by its bytes.
 *
 * A union belongs to the first of its segments and is dropped with it, or when room is needed. Segments never change, so that
 * a level is right for as long as the levels before it are those of the same segments.
 */
import { assert } from '@shoal/core';
import type { ShardFielddata } from './fielddata-use.ts';

/** Limit of the cache of a thread, in bytes. */
const UNION_BYTES_MAX = 64 * 1024 * 1024;

/** Divisor of the thread's memory: the limit where it is less. */
const UNION_SHARE = 16;

/** Estimated overhead of an entry beside its arrays, in bytes. */
const ENTRY_BYTES = 512;

/** What one segment adds to a union. */
export interface UnionLevel {
  /** Name of the segment, unique in its shard. */
  readonly segment: string;
  /** Numbers that the levels before have given. */
  readonly first: number;
  /** Numbers given by now; every number of the segment is below. */
  readonly size: number;
  /** Number of each ordinal of the segment; null at the first level, where they are the same. */
  readonly numbers: Uint32Array | null;
  /** Ordinals of the terms that the levels before do not have: their numbers follow `first`; null at the first level. */
  readonly added: Uint32Array | null;
}

export interface TermUnion {
  /** In the order of the segments; at least one. */
  readonly levels: readonly UnionLevel[];
  /** All numbers in the order of their terms; null with one level, where they stand in it. */
  readonly order: Uint32Array | null;
  /** Size of the arrays, in bytes. */
  readonly bytes: number;
}

interface Entry {
  readonly union: TermUnion;
  readonly field: string;
  /** Whose memory it counts as; null: nobody's. */
  readonly owner: ShardFielddata | null;
}

export class UnionCache {
  readonly bytesMax: number;
  private readonly hasRoom: (bytes: number) => boolean;
  /** Entries by segment and field, the one used longest ago first. */
  private readonly entries = new Map<string, Entry>();
  private owners = 0;
  private bytes = 0;

  /** `memoryBytes`: of the thread. `hasRoom`: whether so many bytes more may be taken for what can be done without. */
  constructor(memoryBytes: number, hasRoom: (bytes: number) => boolean) {
    this.bytesMax = Math.min(UNION_BYTES_MAX, memoryBytes / UNION_SHARE);
    this.hasRoom = hasRoom;
  }

  get usedBytes(): number {
    return this.bytes;
  }

  /** The entries of one more segment. */
  ofSegment(): SegmentUnions {
    return new SegmentUnions(this, `${this.owners++} `);
  }

  get(name: string): TermUnion | null {
    const found = this.entries.get(name);
    if (found === undefined) return null;
    this.entries.delete(name);
    this.entries.set(name, found);
    return found.union;
  }

  /** Whether an entry of so many bytes would be taken, if others went. */
  takes(bytes: number): boolean {
    return bytes + ENTRY_BYTES <= this.bytesMax;
  }

  put(name: string, entry: Entry): void {
    this.remove(name);
    const { union, field, owner } = entry;
    if (!this.takes(union.bytes)) return;
    const bytes = union.bytes + ENTRY_BYTES;
    for (const [oldest, { owner: loser }] of this.entries) {
      if (this.bytes + bytes <= this.bytesMax && this.hasRoom(bytes)) break;
      this.remove(oldest);
      if (loser !== null) loser.evictions++;
    }
    if (!this.hasRoom(bytes)) return;
    this.entries.set(name, entry);
    this.bytes += bytes;
    owner?.add(field, bytes);
    assert(this.bytes <= this.bytesMax, `the cache holds ${this.bytes} of at most ${this.bytesMax} bytes`);
  }

  remove(name: string): void {
    const found = this.entries.get(name);
    if (found === undefined) return;
    this.entries.delete(name);
    const bytes = found.union.bytes + ENTRY_BYTES;
    this.bytes -= bytes;
    found.owner?.add(found.field, -bytes);
    assert(this.bytes >= 0, `the cache holds ${this.bytes} bytes`);
  }

  /** The segment goes. */
  drop(prefix: string): void {
    for (const name of this.entries.keys()) if (name.startsWith(prefix)) this.remove(name);
  }
}

/** Unions that belong to one segment, by field. */
export class SegmentUnions {
  private readonly cache: UnionCache;
  private readonly prefix: string;

  constructor(cache: UnionCache, prefix: string) {
    this.cache = cache;
    this.prefix = prefix;
  }

  get(field: string): TermUnion | null {
    return this.cache.get(this.prefix + field);
  }

  takes(bytes: number): boolean {
    return this.cache.takes(bytes);
  }

  put(field: string, union: TermUnion, owner: ShardFielddata | null): void {
    this.cache.put(this.prefix + field, { union, field, owner });
  }

  /** Whoever asks for the field's union next builds it again. */
  dropField(field: string): void {
    this.cache.remove(this.prefix + field);
  }

  drop(): void {
    this.cache.drop(this.prefix);
  }
}

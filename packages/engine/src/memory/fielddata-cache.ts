/**
 * Values by document that were made of postings, by segment and field: for all shards of a thread, bounded by their bytes.
 *
 * An entry may be evicted while a search uses it: the search keeps the value it was given, and one that asks again has it
 * made again.
 */
import { assert, circuitBreaking, renderByteSize } from '@shoal/core';
import type { ShardFielddata } from './fielddata-use.ts';

/** Share of the thread's memory that the values may take. */
const FIELDDATA_SHARE = 0.4;

/** Value of the cache. */
export interface Fielddata {
  readonly bytes: number;
}

interface Entry {
  readonly value: Fielddata;
  readonly field: string;
  /** Whose memory it counts as; null: nobody's. */
  readonly owner: ShardFielddata | null;
  /** Tells the segment that it has the value no more. */
  readonly onEvict: () => void;
}

export class FielddataCache {
  readonly bytesMax: number;
  private readonly hasRoom: (bytes: number) => boolean;
  /** The one used longest ago first. */
  private readonly entries = new Set<Entry>();
  private bytes = 0;

  /** `memoryBytes`: of the thread. `hasRoom`: whether so many bytes more may be taken for what can be made again. */
  constructor(memoryBytes: number, hasRoom: (bytes: number) => boolean) {
    this.bytesMax = memoryBytes * FIELDDATA_SHARE;
    this.hasRoom = hasRoom;
  }

  get usedBytes(): number {
    return this.bytes;
  }

  /** @throws ShoalError `circuit_breaking_exception` when so many bytes would not fit although all others went */
  check(field: string, bytes: number): void {
    if (bytes <= this.bytesMax) return;
    const [wanted, limit] = [Math.ceil(bytes), Math.floor(this.bytesMax)];
    const sizes = (size: number): string => `[${size}/${renderByteSize(size)}]`;
    throw circuitBreaking(
      `[fielddata] Data too large, data for [${field}] would be ${sizes(wanted)}, which is larger than the limit of ${sizes(limit)}`,
      { wanted, limit },
    );
  }

  add(entry: Entry): void {
    const { bytes } = entry.value;
    for (const oldest of this.entries) {
      if (this.bytes + bytes <= this.bytesMax && this.hasRoom(bytes)) break;
      this.remove(oldest);
      oldest.onEvict();
      if (oldest.owner !== null) oldest.owner.evictions++;
    }
    this.entries.add(entry);
    this.bytes += bytes;
    entry.owner?.add(entry.field, bytes);
  }

  touch(entry: Entry): void {
    assert(this.entries.delete(entry), `values of ${entry.field} are used after they were removed`);
    this.entries.add(entry);
  }

  remove(entry: Entry): void {
    assert(this.entries.delete(entry), `values of ${entry.field} are removed twice`);
    this.bytes -= entry.value.bytes;
    entry.owner?.add(entry.field, -entry.value.bytes);
    assert(this.bytes >= 0, `the cache holds ${this.bytes} bytes`);
  }
}

/** Values of one segment by field. */
export class SegmentFielddata<T extends Fielddata> {
  private readonly cache: FielddataCache;
  private readonly entries = new Map<string, Entry & { readonly value: T }>();

  constructor(cache: FielddataCache) {
    this.cache = cache;
  }

  check(field: string, bytes: number): void {
    this.cache.check(field, bytes);
  }

  get(field: string): T | null {
    const entry = this.entries.get(field);
    if (entry === undefined) return null;
    this.cache.touch(entry);
    return entry.value;
  }

  put(field: string, value: T, owner: ShardFielddata | null): void {
    this.dropField(field);
    const entry = { value, field, owner, onEvict: () => this.entries.delete(field) };
    this.entries.set(field, entry);
    this.cache.add(entry);
  }

  dropField(field: string): void {
    const entry = this.entries.get(field);
    if (entry === undefined) return;
    this.entries.delete(field);
    this.cache.remove(entry);
  }

  drop(): void {
    for (const field of [...this.entries.keys()]) this.dropField(field);
  }
}

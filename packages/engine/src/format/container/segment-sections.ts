/**
 * Sections of one segment, read in groups that are used together and evicted together.
 *
 * In JavaScript's memory a group may be evicted at any time: its user keeps the view it was given. In kernel memory evicted
 * bytes are overwritten, so a group stays while a kernel pins it or while a request that was given a view of it runs.
 */

import { assert } from '@shoal/core';
import type { KernelMemory } from '../../memory/kernel-memory.ts';
import type { Droppable, SectionCache } from '../../memory/section-cache.ts';
import type { SectionRef } from './section-ref.ts';
import type { SegmentBytes } from './segment-bytes.ts';

/** Kernels read and write some bytes behind what they are given. */
export const OVERRUN_BYTES = 64;

/** Bytes of the file that a group has in memory: a section, or a range of one. */
export interface SectionSource {
  /** Length without padding, in bytes. */
  readonly length: number;
  /** Verified: a view of memory where that has them, else bytes of their own. */
  read(): Uint8Array;
  /** Reads and verifies them into the buffer that `room` returns for its length, which padding may be a part of. */
  readInto(room: (length: number) => Uint8Array): void;
}

/** What a segment has in memory of its sections, as the segment sees it. */
export interface LoadedGroup extends Droppable {
  /** Drops the copy in JavaScript's memory; its users keep their views. */
  dropPlain(): void;
}

/** The sections of one segment, and the requests that run on it. */
export class SegmentSections {
  readonly bytes: SegmentBytes;
  /** null: what is read stays as long as the segment. */
  readonly cache: SectionCache | null;
  private readonly wholeBytesMax: number;
  /** Changes whenever the last running request ends. */
  epoch = 0;
  private requests = 0;
  /** Groups of whole sections, and those of ranges and pages that are in memory. */
  readonly groups: Set<LoadedGroup> = new Set();

  /** `wholeBytesMax`: sections that are used together are read whole up to this length, in bytes, and longer ones by range. */
  constructor(bytes: SegmentBytes, cache: SectionCache | null, wholeBytesMax: number = Number.POSITIVE_INFINITY) {
    this.bytes = bytes;
    this.cache = cache;
    this.wholeBytesMax = wholeBytesMax;
  }

  /** Sections, of so many bytes together, of which ranges are read. One with one checksum is read whole, whatever is asked of it. */
  isReadByRange(lengthBytes: number, { pageBytes }: SectionRef): boolean {
    return lengthBytes > this.wholeBytesMax && pageBytes !== Number.POSITIVE_INFINITY;
  }

  /** Evicts others where that makes room for so many bytes; false when it does not. */
  makeRoom(bytes: number): boolean {
    return this.cache === null || this.cache.makeRoom(bytes);
  }

  get isPinned(): boolean {
    return this.requests > 0;
  }

  /** A request that may keep views until `unpin`. */
  pin(): void {
    assert(this.requests >= 0, `${this.requests} requests read a segment`);
    this.requests++;
  }

  unpin(): void {
    assert(this.requests > 0, 'a request ends more often than it began');
    if (--this.requests === 0) this.epoch++;
  }

  group<T>(refs: readonly SectionRef[], make: (sections: readonly Uint8Array[]) => T): SectionGroup<T> {
    const sources = refs.map((ref) => wholeSection(this.bytes, ref));
    const group = new SectionGroup(this, sources, make);
    this.groups.add(group);
    return group;
  }

  /** A group that the segment knows of only while it is in memory: ranges come and go. */
  rangeGroup<T>(ranges: readonly SectionSource[], make: (sections: readonly Uint8Array[]) => T): SectionGroup<T> {
    return new SectionGroup(this, ranges, make, this.groups);
  }

  /** In memory, without what is there because no file has it. */
  get loadedBytes(): number {
    let sum = 0;
    for (const group of this.groups) sum += group.loadedBytes;
    return sum;
  }

  /** Drops views of memory that is freed: they are created again on the next use. */
  dropViews(): void {
    for (const group of this.groups) group.dropPlain();
  }

  dropUnused(): void {
    for (const group of this.groups) if (!group.isInUse) group.drop();
  }

  /** The segment goes. */
  drop(): void {
    for (const group of this.groups) group.drop();
  }
}

interface Placed<T> {
  readonly value: T;
  /** Addresses of the sections in kernel memory. */
  readonly addresses: readonly number[];
}

/** Sections that are used together, as `make` reads them. */
export class SectionGroup<T> implements LoadedGroup {
  wasUsed = false;
  /** Called after an eviction, to drop what was computed from the sections. */
  onDrop: () => void = () => {};
  private readonly from: SegmentSections;
  private readonly sources: readonly SectionSource[];
  /** Groups of the segment, which this one is among while it is in memory; null: it always is. */
  private readonly among: Set<LoadedGroup> | null;
  private readonly make: (sections: readonly Uint8Array[]) => T;
  private plain: T | null = null;
  private plainBytes = 0;
  private placed: Placed<T> | null = null;
  private placedBytes = 0;
  /** Running kernels that pin the group. */
  private holders = 0;
  /** Epoch in which a view of kernel memory was last given to a request; -1 before. */
  private viewedIn = -1;

  constructor(
    from: SegmentSections,
    sources: readonly SectionSource[],
    make: (sections: readonly Uint8Array[]) => T,
    among: Set<LoadedGroup> | null = null,
  ) {
    this.from = from;
    this.sources = sources;
    this.make = make;
    this.among = among;
  }

  /** Bytes of its sections in the file, without padding. */
  get lengthBytes(): number {
    return this.sources.reduce((sum, { length }) => sum + length, 0);
  }

  get loadedBytes(): number {
    return this.plainBytes + this.placedBytes;
  }

  get isLoaded(): boolean {
    return this.plain !== null || this.placed !== null;
  }

  /** In kernel memory. */
  get isPlaced(): boolean {
    return this.placed !== null;
  }

  get isInUse(): boolean {
    return this.holders > 0 || (this.placed !== null && this.from.isPinned && this.viewedIn === this.from.epoch);
  }

  /**
   * For JavaScript. Throws `corrupt_index_exception` when the bytes are not as written. Valid no longer than the request
   * that pinned the segment; by others as long as they like.
   */
  get(): T {
    this.wasUsed = true;
    if (this.plain !== null) return this.plain;
    if (this.placed !== null && this.from.isPinned) {
      this.viewedIn = this.from.epoch;
      return this.placed.value;
    }
    return this.load();
  }

  private load(): T {
    const { bytes, cache } = this.from;
    const length = bytes.isInMemory ? 0 : this.lengthBytes;
    if (length > 0) cache?.makeRoom(length);
    const value = this.made(this.sources.map((source) => source.read()));
    this.plain = value;
    this.plainBytes = length;
    this.among?.add(this);
    if (cache !== null) {
      cache.plainBytes += length;
      cache.add(this);
    }
    return value;
  }

  private made(sections: readonly Uint8Array[]): T {
    try {
      return this.make(sections);
    } catch (error) {
      if (error instanceof RangeError) throw this.from.bytes.damaged(error.message);
      throw error;
    }
  }

  /** For kernels: where the sections stand until `release`; null when there is no room. */
  hold(): readonly number[] | null {
    this.wasUsed = true;
    const placed = this.placed ?? this.place();
    if (placed === null) return null;
    this.holders++;
    return placed.addresses;
  }

  release(): void {
    assert(this.holders > 0, 'sections are released more often than held');
    this.holders--;
  }

  private place(): Placed<T> | null {
    const { cache } = this.from;
    if (cache === null || cache.kernels === null) return null;
    const { kernels } = cache;
    const addresses: number[] = [];
    const sections: Uint8Array[] = [];
    let isDone = false;
    try {
      for (const source of this.sources) {
        const address = takePlace(cache, kernels, source.length + OVERRUN_BYTES);
        if (address === 0) return null;
        addresses.push(address);
        // Padding is read too, into what is there for overruns.
        source.readInto((length) => kernels.bytesAt(address, length));
        sections.push(kernels.bytesAt(address, source.length));
      }
      this.placed = { value: this.made(sections), addresses };
      isDone = true;
    } finally {
      if (!isDone) for (const address of addresses) kernels.release(address);
    }
    this.placedBytes = this.lengthBytes;
    assert(
      this.placed.addresses.length === this.sources.length,
      `${this.sources.length} sections at ${this.placed.addresses.length} addresses`,
    );
    this.dropPlain();
    this.among?.add(this);
    cache.add(this);
    return this.placed;
  }

  dropPlain(): void {
    this.plain = null;
    this.from.cache?.noteReleased(this.plainBytes);
    this.plainBytes = 0;
  }

  drop(): void {
    assert(!this.isInUse, 'sections in use are dropped');
    this.dropPlain();
    for (const address of this.placed?.addresses ?? []) this.from.cache?.kernels?.release(address);
    this.placed = null;
    this.placedBytes = 0;
    this.from.cache?.forget(this);
    this.among?.delete(this);
    this.onDrop();
  }
}

function wholeSection(bytes: SegmentBytes, ref: SectionRef): SectionSource {
  return {
    length: ref.length,
    read: () => bytes.section(ref),
    readInto: (room) => bytes.sectionInto(ref, room),
  };
}

/** Address of `length` bytes; 0 when there is no room and nothing left to evict. */
export function takePlace(cache: SectionCache, kernels: KernelMemory, length: number): number {
  if (!cache.makeRoom(length)) return 0;
  for (;;) {
    const address = kernels.allocate(length);
    // What is free may lie in pieces that are all too small.
    if (address !== 0 || !cache.dropOne()) return address;
  }
}

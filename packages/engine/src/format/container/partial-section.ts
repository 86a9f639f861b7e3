/**
 * Room for a whole section in kernel memory, of which only the pages are read that are asked for.
 *
 * Kernels see the section at one address, as if all of it were there. What stands in a page that was not read has no meaning.
 */
import { assert } from '@shoal/core';
import type { SectionRef } from './section-ref.ts';
import { type LoadedGroup, OVERRUN_BYTES, type SegmentSections, takePlace } from './segment-sections.ts';

export class PartialSection implements LoadedGroup {
  wasUsed = false;
  readonly pageCount: number;
  private readonly from: SegmentSections;
  private readonly ref: SectionRef;
  /** 0: it has no room. */
  private address = 0;
  /** 1 for each page that was read. */
  private readonly isRead: Uint8Array;
  private readCount = 0;
  /** Running kernels that pin it. */
  private holders = 0;

  constructor(from: SegmentSections, ref: SectionRef) {
    assert(Number.isFinite(ref.pageBytes), `the section at ${ref.offset} has one checksum and no pages`);
    this.from = from;
    this.ref = ref;
    this.pageCount = ref.crcs.length;
    this.isRead = new Uint8Array(this.pageCount);
  }

  /** All of its room: what is not resident yet becomes so with the next pages. */
  get loadedBytes(): number {
    return this.address === 0 ? 0 : this.ref.length;
  }

  get isInUse(): boolean {
    return this.holders > 0;
  }

  /** Share of the pages that were read, 0..1. */
  get loadedShare(): number {
    return this.readCount / this.pageCount;
  }

  /** Address of the section until `release`; 0 when there is no room. */
  hold(): number {
    this.wasUsed = true;
    if (this.address === 0 && !this.takeRoom()) return 0;
    this.holders++;
    return this.address;
  }

  private takeRoom(): boolean {
    const { cache, groups } = this.from;
    const kernels = cache?.kernels ?? null;
    if (cache === null || kernels === null) return false;
    this.address = takePlace(cache, kernels, this.ref.length + OVERRUN_BYTES);
    if (this.address === 0) return false;
    cache.add(this);
    groups.add(this);
    return true;
  }

  /** Reads the page that has the byte `at`, which is held, unless it was read; throws `corrupt_index_exception` where it is damaged. */
  load(at: number): void {
    const { from, ref, isRead, address } = this;
    const page = Math.floor(at / ref.pageBytes);
    if (isRead[page] === 1) return;
    assert(address > 0 && at < ref.length, `byte ${at} of a section of ${ref.length} at ${address}`);
    const bytes = from.bytes.page(ref, page);
    from.cache?.kernels?.bytesAt(address + page * ref.pageBytes, bytes.length).set(bytes);
    isRead[page] = 1;
    this.readCount++;
    assert(this.readCount <= this.pageCount, `${this.readCount} of ${this.pageCount} pages were read`);
  }

  release(): void {
    assert(this.holders > 0, 'a section is released more often than held');
    this.holders--;
  }

  /** Nothing of it is in JavaScript's memory. */
  dropPlain(): void {}

  drop(): void {
    assert(!this.isInUse, 'a section in use is dropped');
    if (this.address === 0) return;
    const { cache, groups } = this.from;
    cache?.kernels?.release(this.address);
    this.address = 0;
    this.isRead.fill(0);
    this.readCount = 0;
    cache?.forget(this);
    groups.delete(this);
  }

  dropUnused(): void {
    if (!this.isInUse) this.drop();
  }
}

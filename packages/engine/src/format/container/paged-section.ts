/**
 * A section that is read page by page: what of it is asked for stays in the thread's cache of sections, a page an entry.
 */
import { assert } from '@shoal/core';
import { compareBytes } from '../../bytes/compare-bytes.ts';
import { u32View } from './container-reader.ts';
import type { SectionRef } from './section-ref.ts';
import type { SectionGroup, SectionSource, SegmentSections } from './segment-sections.ts';

const WORD_BYTES = 4;
const NONE = -1;
const NO_BYTES = new Uint8Array(0);
const NO_WORDS = new Uint32Array(0);

const only = ([bytes = NO_BYTES]: readonly Uint8Array[]): Uint8Array => bytes;

export class PagedSection {
  readonly length: number;
  private readonly sections: SegmentSections;
  private readonly ref: SectionRef;
  private readonly pageBytes: number;
  private readonly pages = new Map<number, SectionGroup<Uint8Array>>();
  /** Page that was asked for last, and its content: most callers stay on one for a while. */
  private lastPage = NONE;
  private lastBytes: Uint8Array = NO_BYTES;
  private lastWords: Uint32Array = NO_WORDS;

  constructor(sections: SegmentSections, ref: SectionRef) {
    assert(Number.isFinite(ref.pageBytes), `the section at ${ref.offset} has one checksum and no pages`);
    this.sections = sections;
    this.ref = ref;
    this.length = ref.length;
    this.pageBytes = ref.pageBytes;
  }

  /** Content of a page, see `lastBytes`. */
  private page(page: number): Uint8Array {
    if (page !== this.lastPage) this.turnTo(page);
    return this.lastBytes;
  }

  private turnTo(page: number): void {
    const { sections, ref } = this;
    if (!(page >= 0 && page < ref.crcs.length))
      throw sections.bytes.damaged(`page ${page} of ${ref.crcs.length} of the section at ${ref.offset} is named`);
    let group = this.pages.get(page);
    if (group === undefined) {
      group = sections.rangeGroup([this.pageSource(page)], only);
      group.onDrop = () => this.forget(page);
      this.pages.set(page, group);
    }
    const bytes = group.get();
    this.lastPage = page;
    this.lastBytes = bytes;
    this.lastWords = u32View(bytes);
  }

  private forget(page: number): void {
    this.pages.delete(page);
    if (this.lastPage !== page) return;
    this.lastPage = NONE;
    this.lastBytes = NO_BYTES;
    this.lastWords = NO_WORDS;
  }

  private pageSource(page: number): SectionSource {
    const { sections, ref, pageBytes } = this;
    const length = Math.min(pageBytes, ref.length - page * pageBytes);
    const read = (): Uint8Array => sections.bytes.page(ref, page);
    return { length, read, readInto: (room) => room(length).set(read()) };
  }

  /** Word number `index` of a section of u32. */
  word(index: number): number {
    const at = index * WORD_BYTES;
    const page = Math.floor(at / this.pageBytes);
    if (page !== this.lastPage) this.turnTo(page);
    return this.lastWords[(at - page * this.pageBytes) / WORD_BYTES] as number;
  }

  /** A view of one page, or a copy from several: good as long as the caller likes. */
  bytes(from: number, to: number): Uint8Array {
    const page = Math.floor(from / this.pageBytes);
    const start = page * this.pageBytes;
    if (to <= start + this.pageBytes && from < to) return this.page(page).subarray(from - start, to - start);
    const copy = new Uint8Array(to - from);
    this.copy(from, copy);
    return copy;
  }

  /** Compares the bytes from..to - 1 with others. */
  compare(from: number, to: number, others: Uint8Array): number {
    const page = Math.floor(from / this.pageBytes);
    const start = page * this.pageBytes;
    if (to <= start + this.pageBytes && from < to)
      return compareBytes(this.page(page), from - start, to - start, others);
    return compareBytes(this.bytes(from, to), 0, to - from, others);
  }

  /** Fills `target` with what stands from `from` on. */
  private copy(from: number, target: Uint8Array): void {
    const { pageBytes } = this;
    const to = from + target.length;
    this.check(from, to);
    for (let at = from; at < to; ) {
      const page = Math.floor(at / pageBytes);
      const start = page * pageBytes;
      const part = this.page(page).subarray(at - start, to - start);
      target.set(part, at - from);
      at += part.length;
    }
  }

  /** Contradictions between sections would read others' bytes. */
  private check(from: number, to: number): void {
    const { sections, ref } = this;
    if (from >= 0 && from <= to && to <= ref.length) return;
    throw sections.bytes.damaged(
      `range ${from} to ${to} of ${ref.length} bytes of the section at ${ref.offset} is named`,
    );
  }

  /**
   * The bytes from..to - 1 for a group. Those of less than a page leave it in the cache for their neighbours; longer ones are read
   * past the cache. Throws `corrupt_index_exception` where the section has no such range.
   */
  range(from: number, to: number): SectionSource {
    this.check(from, to);
    const length = to - from;
    const fill = (target: Uint8Array): void => {
      if (length > this.pageBytes) this.sections.bytes.rangeInto(this.ref, from, target);
      else this.copy(from, target);
    };
    return {
      length,
      read: () => {
        const bytes = new Uint8Array(length);
        fill(bytes);
        return bytes;
      },
      readInto: (room) => fill(room(length)),
    };
  }
}

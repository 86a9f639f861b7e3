/**
 * A section that is read from its start to its end, a window at a time: each page is read and verified once, and no more of the
 * section is in memory than was asked for.
 */
import { assert } from '@shoal/core';
import { u32View } from '../../format/container/container-reader.ts';
import type { SectionRef } from '../../format/container/section-ref.ts';
import type { SegmentBytes } from '../../format/container/segment-bytes.ts';

const WORD_BYTES = 4;
const NO_BYTES = new Uint8Array(0);

export class SectionWindow {
  readonly length: number;
  private readonly from: SegmentBytes;
  private readonly ref: SectionRef;
  /** The section where all of it is in memory, is asked for, or has one checksum; null: it is read by pages. */
  private whole: Uint8Array | null = null;
  private buffer: Uint8Array = NO_BYTES;
  /** Offsets in the section of what the buffer has: the start of a page, and of another one or the end of the section. */
  private start = 0;
  private end = 0;

  constructor(from: SegmentBytes, ref: SectionRef) {
    this.from = from;
    this.ref = ref;
    this.length = ref.length;
  }

  /**
   * The bytes from..to - 1: a view, valid until the next call. What is before the window `since` is dropped when there must be room.
   *
   * @param since offset that no later call goes below
   */
  bytes(from: number, to: number, since: number = from): Uint8Array {
    if (!(since >= 0 && since <= from && from <= to && to <= this.length))
      throw this.from.damaged(
        `range ${from} to ${to} of ${this.length} bytes of the section at ${this.ref.offset} is named`,
      );
    const { pageBytes } = this.ref;
    const isWhole = from === 0 && to === this.length;
    if (this.whole === null && (isWhole || this.from.isInMemory || pageBytes === Number.POSITIVE_INFINITY))
      this.whole = this.from.section(this.ref);
    if (this.whole !== null) return this.whole.subarray(from, to);
    if (from < this.start || to > this.end) this.load(since, to);
    return this.buffer.subarray(from - this.start, to - this.start);
  }

  /** The u32 words from..to - 1, see `bytes`. */
  words(from: number, to: number, since: number = from): Uint32Array {
    return u32View(this.bytes(from * WORD_BYTES, to * WORD_BYTES, since * WORD_BYTES));
  }

  word(index: number, since: number = index): number {
    return this.words(index, index + 1, since)[0] as number;
  }

  /** Has the pages of from..to - 1 in the buffer. */
  private load(from: number, to: number): void {
    const { pageBytes } = this.ref;
    const start = from - (from % pageBytes);
    const end = Math.min(Math.ceil(to / pageBytes) * pageBytes, this.length);
    const isThere = start >= this.start && start < this.end;
    const kept = isThere ? this.buffer.subarray(start - this.start, this.end - this.start) : NO_BYTES;
    if (end - start > this.buffer.length) {
      // Not cleared: all of it is written to.
      const grown = new Uint8Array(Buffer.allocUnsafeSlow(end - start).buffer);
      grown.set(kept);
      this.buffer = grown;
    } else this.buffer.set(kept);
    const there = start + kept.length;
    if (there < end) this.from.rangeInto(this.ref, there, this.buffer.subarray(there - start, end - start));
    assert(there <= Math.max(end, this.end), `pages from ${there} on are kept of a section, up to ${end} are wanted`);
    this.start = start;
    this.end = Math.max(end, there);
  }
}

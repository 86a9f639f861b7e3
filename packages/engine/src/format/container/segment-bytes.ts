/**
 * Where the bytes of a segment are: in memory until a file has them, in the file from then on.
 *
 * Whoever reads gets what was verified: bytes that this process made are believed, those of a file are read and compared with
 * their checksum each time that they are taken into memory.
 */
import { crc32 } from 'node:zlib';
import { assert, type ShoalError } from '@shoal/core';
import type { File } from '@shoal/runtime';
import type { PlacedBytes } from '../../memory/placed-bytes.ts';
import { PageChecksums } from './page-checksums.ts';
import { corruptSegment, paddedEnd, type SectionRef } from './section-ref.ts';

const PADDING_MAX = 8;
/** Bytes that a background check reads at once: a millisecond or two. */
const CHECKED_BYTES = 1024 * 1024;

export class SegmentBytes {
  /** For the text of errors. */
  path: string;
  /** Length of the whole container, in bytes. */
  readonly length: number;
  /** Told of damage that was found after the segment was opened. */
  onDamage: (error: ShoalError) => void = () => {};
  private placed: PlacedBytes | null;
  private file: File | null;
  private onClose: () => void;
  private holders = 1;

  private constructor(
    path: string,
    length: number,
    placed: PlacedBytes | null,
    file: File | null,
    onClose: () => void,
  ) {
    this.path = path;
    this.length = length;
    this.placed = placed;
    this.file = file;
    this.onClose = onClose;
  }

  /** Bytes in memory, which are left to this one. */
  static ofMemory(path: string, placed: PlacedBytes): SegmentBytes {
    return new SegmentBytes(path, placed.bytes.length, placed, null, () => {});
  }

  /** A whole file, open for reading; closed with the last holder. */
  static async ofFile(path: string, file: File, onClose: () => void): Promise<SegmentBytes> {
    return new SegmentBytes(path, await file.sizeBytes(), null, file, onClose);
  }

  get isInMemory(): boolean {
    return this.placed !== null;
  }

  /** Bytes of the container in memory, which cannot be freed before a file has them. */
  get memoryBytes(): number {
    return this.placed === null ? 0 : this.length;
  }

  /** A view of memory, or read from the file; not verified. */
  read(offset: number, length: number): Uint8Array {
    if (this.placed !== null) return this.placed.bytes.subarray(offset, offset + length);
    const bytes = newBytes(length);
    this.readInto(bytes, offset);
    return bytes;
  }

  private readInto(target: Uint8Array, offset: number): void {
    assert(this.file !== null && this.holders > 0, `segment file ${this.path} is read after it was closed`);
    if (this.file.readIntoSync(target, offset) !== target.length)
      throw this.damaged(`it ends before ${offset + target.length}`);
  }

  /** A section, verified: a view of memory where that has it, else in bytes of its own. */
  section(ref: SectionRef): Uint8Array {
    const { offset, length } = ref;
    if (this.placed !== null) return this.placed.bytes.subarray(offset, offset + length);
    const bytes = newBytes(paddedEnd(ref) - offset);
    this.readInto(bytes, offset);
    this.check(ref, 0, bytes);
    return bytes.subarray(0, length);
  }

  /** Reads and verifies a section into the buffer that `room` returns for its length. */
  sectionInto(ref: SectionRef, room: (length: number) => Uint8Array): void {
    const { offset, length } = ref;
    if (this.placed !== null) {
      room(length).set(this.placed.bytes.subarray(offset, offset + length));
      return;
    }
    const bytes = room(paddedEnd(ref) - offset);
    this.readInto(bytes, offset);
    this.check(ref, 0, bytes);
  }

  /** Fills `target` with the content of a section from `from` on, verified; no page is read that has nothing of it. */
  rangeInto(ref: SectionRef, from: number, target: Uint8Array): void {
    const { offset, length, pageBytes } = ref;
    const to = from + target.length;
    assert(from >= 0 && to <= length, `bytes ${from} to ${to} of a section of ${length}`);
    if (this.placed !== null || pageBytes === Number.POSITIVE_INFINITY) {
      target.set(this.section(ref).subarray(from, to));
      return;
    }
    // What is wanted of the first and of the last page is copied; whole pages between them are read where they are wanted.
    for (let at = from; at < to; ) {
      const page = Math.floor(at / pageBytes);
      const whole = at === page * pageBytes ? Math.floor((to - at) / pageBytes) : 0;
      if (whole > 0) {
        const bytes = target.subarray(at - from, at - from + whole * pageBytes);
        this.readInto(bytes, offset + at);
        this.check(ref, page, bytes);
        at += bytes.length;
        continue;
      }
      const start = page * pageBytes;
      const part = this.page(ref, page).subarray(at - start, to - start);
      target.set(part, at - from);
      at += part.length;
    }
  }

  /** Page of a section without padding, verified: a view of memory where that has it, else in bytes of its own. */
  page(ref: SectionRef, page: number): Uint8Array {
    const { offset, length, pageBytes } = ref;
    assert(page >= 0 && page < ref.crcs.length, `page ${page} of ${ref.crcs.length}`);
    const start = ref.crcs.length === 1 ? 0 : page * pageBytes;
    const end = Math.min(start + pageBytes, length);
    if (this.placed !== null) return this.placed.bytes.subarray(offset + start, offset + end);
    const bytes = newBytes(Math.min(start + pageBytes, paddedEnd(ref) - offset) - start);
    this.readInto(bytes, offset + start);
    this.check(ref, page, bytes);
    return bytes.subarray(0, end - start);
  }

  /** Compares bytes of a section, from the start of a page on, with the checksums of their pages. */
  private check(ref: SectionRef, firstPage: number, bytes: Uint8Array): void {
    const { offset, pageBytes, crcs } = ref;
    const checksums = new PageChecksums(pageBytes);
    checksums.add(bytes);
    checksums.end().forEach((crc, i) => {
      if (crc === crcs[firstPage + i]) return;
      const which = crcs.length === 1 ? '' : `page ${firstPage + i} of `;
      throw this.damaged(`checksum of ${which}the section at ${offset} does not match`);
    });
  }

  /** Tells the owner, and is what the reader throws. */
  damaged(why: string): ShoalError {
    const error = corruptSegment(this.path, why);
    this.onDamage(error);
    return error;
  }

  /** Compares a section with its checksums, a part a step. */
  *verify(ref: SectionRef): Generator<number, void> {
    const { offset, pageBytes, crcs } = ref;
    const end = paddedEnd(ref);
    if (crcs.length > 1) {
      const pages = Math.max(1, Math.floor(CHECKED_BYTES / pageBytes));
      for (let page = 0; page < crcs.length; page += pages) {
        const at = offset + page * pageBytes;
        const bytes = this.read(at, Math.min(pages * pageBytes, end - at));
        this.check(ref, page, bytes);
        yield bytes.length;
      }
      return;
    }
    let crc = 0;
    for (let at = offset; at < end; at += CHECKED_BYTES) {
      const bytes = this.read(at, Math.min(CHECKED_BYTES, end - at));
      crc = crc32(bytes, crc);
      yield bytes.length;
    }
    if (crc !== crcs[0]) throw this.damaged(`checksum of the section at ${offset} does not match`);
  }

  /** From now on `file`, which has the same content, is read: the memory is given back. */
  moveTo(path: string, file: File, onClose: () => void): void {
    assert(this.file === null, `segment ${path} has a file already`);
    this.path = path;
    this.file = file;
    this.onClose = onClose;
    this.placed?.release();
    this.placed = null;
  }

  retain(): void {
    assert(this.holders > 0, 'bytes that were freed are held again');
    this.holders++;
  }

  /** True when nobody holds them any more. */
  release(): boolean {
    assert(this.holders > 0, 'bytes are released more often than held');
    if (--this.holders > 0) return false;
    this.placed?.release();
    this.placed = null;
    // A file that was only read loses nothing when its close fails.
    this.file?.close().catch(() => {});
    this.onClose();
    return true;
  }
}

/** Uninitialised bytes of a buffer of their own: all of it is read into. */
function newBytes(length: number): Uint8Array {
  return new Uint8Array(Buffer.allocUnsafeSlow(Math.max(length, PADDING_MAX)).buffer, 0, length);
}

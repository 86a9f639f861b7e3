/**
 * The file format around a segment: header, sections, directory, footer; each under a checksum.
 *
 * The bytes are the same in memory and on disk. Sections stand without gaps, so that every bit of a file is under some
 * checksum: a flipped one is found before anything is believed. Multi-byte values are little-endian and aligned to 8.
 */

import { crc32 } from 'node:zlib';
import { ByteSource, DamagedBytes } from '@shoal/core';
import {
  corruptSegment,
  END_MAGIC_TEXT,
  FOOTER_BYTES,
  HEADER_BYTES,
  isPageSize,
  MAGIC_TEXT,
  OLDEST_FORMAT_VERSION,
  otherVersion,
  paddedEnd,
  readSectionRef,
  SEGMENT_FORMAT_VERSION,
  type SectionRef,
  WHOLE_SECTIONS_VERSION,
} from './section-ref.ts';
import type { SegmentBytes } from './segment-bytes.ts';

/** Reads what a segment is made of; not the sections. Throws `DamagedBytes` inside, `corrupt_index_exception` outside. */
export class ContainerReader {
  readonly bytes: SegmentBytes;
  readonly directory: ByteSource;
  /** Format version of the file. */
  readonly version: number;
  /** Bytes a page of the sections; infinite where each has one checksum. */
  readonly pageBytes: number;
  /** All that were taken. */
  readonly refs: SectionRef[] = [];
  private readonly directoryOffset: number;
  /** End of the last section that was taken: sections follow each other without gaps. */
  private end = HEADER_BYTES;

  constructor(bytes: SegmentBytes) {
    const { path, length: size } = bytes;
    this.bytes = bytes;
    if (size < HEADER_BYTES + FOOTER_BYTES) throw corruptSegment(path, `only ${size} bytes long`);
    this.version = readHeader(bytes.read(0, HEADER_BYTES), path);
    const footer = new ByteSource(bytes.read(size - FOOTER_BYTES, FOOTER_BYTES));
    this.directoryOffset = footer.f64();
    const length = footer.u32();
    const crc = footer.u32();
    const magic = Buffer.from(footer.raw(8)).toString('latin1');
    if (magic !== END_MAGIC_TEXT) throw corruptSegment(path, 'it does not end with the mark of a whole file');
    if (this.directoryOffset + length + FOOTER_BYTES !== size) {
      throw corruptSegment(path, `directory of ${length} bytes at ${this.directoryOffset} does not end at the footer`);
    }
    // A copy: it stays, wherever the rest goes.
    const directory = bytes.read(this.directoryOffset, length).slice();
    if (crc32(directory) !== crc) throw corruptSegment(path, 'checksum of its directory does not match');
    this.directory = new ByteSource(directory);
    this.pageBytes = this.version <= WHOLE_SECTIONS_VERSION ? Number.POSITIVE_INFINITY : readPageBytes(this.directory);
  }

  /** Where the next section by the directory stands. */
  section(pageBytes: number = this.pageBytes): SectionRef {
    const ref = readSectionRef(this.directory, pageBytes);
    const end = paddedEnd(ref);
    if (ref.offset !== this.end || end > this.directoryOffset) {
      throw new DamagedBytes(`section at ${ref.offset} of ${ref.length} bytes is out of place`);
    }
    this.end = end;
    this.refs.push(ref);
    return ref;
  }

  /** Every section was taken: nothing in the file is without a checksum. */
  finish(): void {
    if (this.end !== this.directoryOffset || this.directory.at !== this.directory.bytes.length) {
      throw new DamagedBytes(`sections end at ${this.end}, directory starts at ${this.directoryOffset}`);
    }
  }
}

function readPageBytes(directory: ByteSource): number {
  const bytes = directory.u32();
  if (!isPageSize(bytes)) throw new DamagedBytes(`pages of ${bytes} bytes`);
  return bytes;
}

/** Format version of the file. */
function readHeader(bytes: Uint8Array, path: string): number {
  const header = new ByteSource(bytes);
  const magic = Buffer.from(header.raw(8)).toString('latin1');
  const version = header.u32();
  const crc = header.u32();
  if (magic !== MAGIC_TEXT) throw corruptSegment(path, 'it does not start with the mark of a segment');
  if (crc32(bytes.subarray(0, HEADER_BYTES - 4)) !== crc)
    throw corruptSegment(path, 'checksum of its header does not match');
  if (version > SEGMENT_FORMAT_VERSION || version < OLDEST_FORMAT_VERSION)
    throw otherVersion(path, version, SEGMENT_FORMAT_VERSION, OLDEST_FORMAT_VERSION);
  return version;
}

export function u32View(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
}

export function i32View(bytes: Uint8Array): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2);
}
